//! Page text: is a page told as a reader has it, and does every page end?

use proptest::prelude::*;
use reelm::cognition::page_text::page_text;

const AT: &str = "https://example.org/shop/";

#[test]
fn a_page_is_told_as_a_reader_has_it() {
    for (html, told) in [
        ("", ""),
        ("plain", "plain"),
        ("a &lt; b &amp; c&#39;s &#x41; &eacute; &nosuch;", "a < b & c's A é &nosuch;"),
        ("a < b and c", "a < b and c"),
        ("<h1>Prices</h1><p>Tea  is\n 3.50.", "# Prices\n\nTea is 3.50."),
        ("<p>one<p>two<br>three", "one\n\ntwo\nthree"),
        ("<b>bo</b>ld and <i>more</i>", "bold and more"),
        ("<ul><li>one<li>two</ul>after", "* one\n* two\n\nafter"),
        ("<table><tr><th>Item<th>Price<tr><td>Tea</td><td>3.50</td></table>", "Item | Price\nTea | 3.50"),
        (
            "<a href='/tea'>Tea</a> and <a href=cake>cake</a>",
            "[Tea][1] and [cake][2]\n\n[1]: https://example.org/tea\n[2]: https://example.org/shop/cake",
        ),
        ("<a class=x href=\"?a=1&amp;b=2\">more", "[more][1]\n\n[1]: https://example.org/shop/?a=1&b=2"),
        ("<a href='#top'>up</a><a>no</a>", "upno"),
        ("<img src=x alt='a cat'>", "[a cat]"),
        ("a<script>if (a < b) { no() }</script>b<style>p{}</style><!-- no --> c", "ab c"),
        ("a<SCRIPT>no()</Script >b", "ab"),
        ("a<script>never ends", "a"),
        ("a<!-- never ends", "a"),
        ("<pre>  x\n   y</pre>z", "x\n   y\n\nz"),
        ("<p title='a > b'>c", "c"),
        ("a<p title=\"open>text", "a"),
        ("<a data-x = '1' HREF = /tea>Tea</a>", "[Tea][1]\n\n[1]: https://example.org/tea"),
        ("<a / href=/tea>Tea", "[Tea][1]\n\n[1]: https://example.org/tea"),
        ("<!doctype html><?xml ?><title>T</title><body>b", "T\n\nb"),
        ("a</i></div></x>b", "a\nb"),
        ("<", "<"),
        ("</", "</"),
        ("<p", ""),
    ] {
        assert_eq!(page_text(html, AT), told, "{html}");
    }
}

/// A page that a server makes to cost time is read once, from its beginning to its end.
#[test]
fn a_page_of_the_same_thing_again_and_again_ends() {
    for part in [
        "<",
        "<a",
        "<a \"'>'\"",
        "<a href='x>",
        "<!--",
        "<script>",
        "<script></script",
        "<svg></svg>",
        "</i>",
        "<pre>  ",
        "<a href=x>",
        "<li>",
        "&",
        "&a",
        "&#",
        "&amp",
        "&amp;",
        "<p a=",
        "= ",
        "<td>",
        "<br>",
        "<img alt=x>",
        " \n",
    ] {
        let html = part.repeat(200_000 / part.len());
        assert!(page_text(&html, AT).len() <= html.len() * 30, "{part}");
    }
}

proptest! {
    #![proptest_config(crate::kit::cases(64, 2000))]

    /// Of whatever bytes a page is made, it ends, and has no more to tell than it has.
    #[test]
    fn every_page_ends(parts in prop::collection::vec(prop::sample::select(vec![
        "<", ">", "/", "a", "<a href=x>", "</a>", "<td>", "<li>", "<script>", "</script>", "<!--", "-->", "\"", "'", "=", " ", "é", "&", ";", "&amp;", "<pre>", "<h2>", "\n",
    ]), 0..200)) {
        let html = parts.concat();
        let told = page_text(&html, AT);
        prop_assert!(told.len() <= html.len() * 30 + 10, "{told}");
    }
}
