//! Drawn: how a type of thing, or one thing, is drawn, as the page is told it.

use serde::Serialize;
use utoipa::ToSchema;

use crate::fact::Value;
use crate::world::{LOOK, Look, Qualities};

/// How something is drawn.
#[derive(Serialize, ToSchema)]
#[schema(as = Look)]
pub struct LookTold {
    /// A word for a shape, or one SVG path of 18 × 18.
    #[serde(skip_serializing_if = "Option::is_none")]
    icon: Option<String>,
    /// A word, or `#rrggbb`.
    #[serde(skip_serializing_if = "Option::is_none")]
    colour: Option<String>,
    /// Whether what is of this type stands in rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<bool>,
    /// Whether it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    hidden: Option<bool>,
}

impl LookTold {
    /// The look that the qualities of one thing ask for.
    pub fn of(qualities: &Qualities) -> Option<Self> {
        let said = Value::map(["icon", "colour", "rows", "hidden"].map(|key| {
            let path = format!("{LOOK}.{key}");
            (key, qualities.at(&path).cloned().unwrap_or_default())
        }));
        Look::readable(&said).map(Self::from)
    }
}

impl From<Look> for LookTold {
    fn from(Look { icon, colour, rows, hidden }: Look) -> Self {
        let text = |text: Option<crate::fact::Text>| text.map(|text| text.to_string());
        Self { icon: text(icon), colour: text(colour), rows, hidden }
    }
}
