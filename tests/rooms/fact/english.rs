//! Tests of `src/fact/english.rs`.

use reelm::fact::english::*;

#[test]
fn the_article_is_that_of_the_first_sound() {
    let an = "office|Office|attic|island|umbrella|urn|usher|hour-glass|heirloom|honest trade|élan|Übung|A|LLM|MCP|X|EU|aisle|onerous task|\
            8-track|11th hour|18|80|unnamed room|uninhabited isle|open:office|'open' door|i64|array";
    for word in an.split('|') {
        assert_eq!(with_article(word), format!("an {word}"));
    }
    let a = "space|room|unicorn|university|union|used car|usual suspect|euro|ewer|once-over|one-way street|utopia|house|ukulele|user|utility|\
            UFO|USB|URL|CD|JSON|RAM|UK|1|7|110|1800|118||...|書斎|yard|skateco:office|hall|Fn|()|u64";
    for word in a.split('|') {
        assert_eq!(with_article(word), format!("a {word}"));
    }
}
