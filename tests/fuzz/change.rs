//! Change: what the bytes of a fuzzer do to some file.

/// One change for each six bytes: how, where in 1/65536 of the length, from where likewise, and a byte; says whether any cut the end off.
pub fn change(bytes: &mut Vec<u8>, input: &[u8]) -> bool {
    let mut is_cut = false;
    for step in input.chunks_exact(6) {
        let &[how, a, b, c, d, byte] = step else { continue };
        if bytes.is_empty() {
            break;
        }
        let place = |low: u8, high: u8| usize::from(u16::from_le_bytes([low, high])) * bytes.len() / 65_536;
        let (at, from, count) = (place(a, b), place(c, d), usize::from(byte) + 1);
        match how % 8 {
            0 => bytes[at] = byte,
            1 => bytes[at] ^= 1 << (byte % 8),
            2 => bytes.insert(at, byte),
            3 => drop(bytes.drain(at..(at + count).min(bytes.len()))),
            4 => {
                // Mostly the end: a short beginning says little.
                let left = (bytes.len() - at).min(count * 4);
                bytes.truncate(bytes.len() - left);
                is_cut = true;
            }
            5 => {
                let end = (at + count).min(bytes.len());
                bytes[at..end].fill(0);
            }
            6 => {
                let run = bytes[from..(from + count).min(bytes.len())].to_vec();
                bytes.splice(at..at, run);
            }
            _ => {
                let run = bytes[from..(from + count * 4).min(bytes.len())].to_vec();
                let end = (at + run.len()).min(bytes.len());
                bytes[at..end].copy_from_slice(&run[..end - at]);
            }
        }
    }
    is_cut
}
