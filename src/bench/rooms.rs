//! Rooms: the worlds of language models on which asking ahead is measured: rooms full of guests, some of whom speak to each other or move.
//!
//! It writes their sources. How the guests answer stands in `guests`.

use super::dice::share;

/// A world of rooms.
pub(super) struct RoomWorld {
    /// Its name in the figures.
    pub(super) what: &'static str,
    /// How many rooms there are.
    pub(super) rooms: usize,
    /// How many guests are born in each room.
    pub(super) each: usize,
    /// How many calls the server answers at once.
    pub(super) slots: usize,
    /// The share of moments in which a guest speaks.
    pub(super) spoken: f64,
    /// The share of moments in which a guest moves to another room.
    pub(super) moved: f64,
    /// Guests speak to their whole room, and not to one roommate.
    pub(super) is_aloud: bool,
    /// How many minutes of its own time it lives.
    pub(super) minutes: i64,
    /// The k-th guests of all rooms wake at one instant, and not each at an instant of its own.
    pub(super) is_in_steps: bool,
}

/// Twelve rooms of ten, who say nothing, each at an instant of its own.
const SILENT: RoomWorld = RoomWorld {
    what: "12 rooms × 10, silent",
    rooms: 12,
    each: 10,
    slots: 16,
    spoken: 0.0,
    moved: 0.0,
    is_aloud: false,
    minutes: 30,
    is_in_steps: false,
};

/// The same, some of whom summon a roommate, who answers: there are more moments, and so less time.
const SUMMONING: RoomWorld = RoomWorld { what: "12 rooms × 10, 20 % summon a roommate", spoken: 0.2, minutes: 20, ..SILENT };

/// The worlds, as they are printed.
pub(super) const WORLDS: [RoomWorld; 8] = [
    SILENT,
    SUMMONING,
    RoomWorld { what: "12 rooms × 10, 50 % summon a roommate", spoken: 0.5, minutes: 10, ..SUMMONING },
    RoomWorld { what: "12 rooms × 10, 20 % summon, 10 % move", moved: 0.1, ..SUMMONING },
    RoomWorld { what: "12 rooms × 10, 20 % aloud", spoken: 0.2, is_aloud: true, ..SILENT },
    RoomWorld { what: "50 rooms × 5, 20 % summon", rooms: 50, each: 5, slots: 32, ..SUMMONING },
    RoomWorld {
        what: "24 rooms × 8, 20 % aloud, 10 % move",
        rooms: 24,
        each: 8,
        slots: 32,
        spoken: 0.2,
        moved: 0.1,
        is_aloud: true,
        ..SILENT
    },
    RoomWorld { what: "12 rooms × 10, 20 % summon, in steps", is_in_steps: true, ..SUMMONING },
];

/// The seconds between two wakes of a guest.
const EVERY_S: usize = 600;

pub(super) const ROLE: &str = "---\nname: guest\ncanSee: ['/*', '@*']\ncanDo: [say, {action: move, on: {rel: self}}]\ncanSummon: ['@*']\n---\n\n\
    You are a guest in a house with many rooms. Be kind and brief.\n";

impl RoomWorld {
    /// Its `world.toml`, with the models behind an address.
    pub(super) fn source(&self, url: &str) -> String {
        let room = |room: usize| format!("[[space]]\npath = \"/r{room}\"\ntype = \"room\"\nallow = [\"say\", \"move\"]\n");
        let guests = (0..self.rooms).flat_map(|room| (0..self.each).map(move |nth| (room, nth)));
        let guest = |((room, nth), offset): ((usize, usize), usize)| {
            format!(
                "[[being]]\nname = \"r{room}k{nth}\"\nhome = \"/r{room}\"\nrole = \"guest\"\ncognition = \"llm\"\n\
                 [[being.schedule]]\nname = \"t\"\nevery = \"{EVERY_S}s\"\noffset = \"{offset}ms\"\n"
            )
        };
        format!(
            "name = \"rooms\"\nseed = 3\nstart = \"2026-03-06T20:00:00\"\n[config]\n\"llm.connection\" = \"guests\"\n\
             \"llm.guests\" = {{ base_url = \"{url}\", model = \"guest\", timeout_ms = 60000, parallel = {} }}\n{}{}",
            self.slots,
            (0..self.rooms).map(room).collect::<String>(),
            guests.zip(self.offsets()).map(guest).collect::<String>()
        )
    }

    /// When each guest wakes first, in milliseconds, room by room.
    fn offsets(&self) -> Vec<usize> {
        if self.is_in_steps {
            let step = |nth: usize| (nth * EVERY_S * 1000 / self.each).max(1);
            return (0..self.rooms).flat_map(|_| (0..self.each).map(step)).collect();
        }
        let mut seconds: Vec<usize> = (0..EVERY_S).collect();
        let drawn = |second: &usize| share(&["offset", &second.to_string()]);
        seconds.sort_by(|one, other| drawn(one).total_cmp(&drawn(other)));
        seconds.into_iter().zip(1..).take(self.rooms * self.each).map(|(second, nth)| second * 1000 + nth).collect()
    }
}
