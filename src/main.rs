//! The door: hands the words of the command line to `cli`, and gives back its exit code.

fn main() -> std::process::ExitCode {
    reelm::cli::main()
}
