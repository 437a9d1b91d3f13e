//! The door: hands the words of the command line to `cli`, and gives back its exit code.

#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    reelm::cli::main()
}
