# typed: strict
# frozen_string_literal: true

class FuzzyEdit < Formula
  desc "Edits that quote text slightly wrong land where they were meant"
  homepage "@HOMEPAGE@"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "@FROM@/fuzzy-edit-@VERSION@-aarch64-apple-darwin.tar.gz"
      sha256 "@SHA256 aarch64-apple-darwin@"
    end
    on_intel do
      url "@FROM@/fuzzy-edit-@VERSION@-x86_64-apple-darwin.tar.gz"
      sha256 "@SHA256 x86_64-apple-darwin@"
    end
  end

  on_linux do
    on_arm do
      url "@FROM@/fuzzy-edit-@VERSION@-aarch64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256 aarch64-unknown-linux-musl@"
    end
    on_intel do
      url "@FROM@/fuzzy-edit-@VERSION@-x86_64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256 x86_64-unknown-linux-musl@"
    end
  end

  def install
    bin.install "fuzzy-edit"
    man1.install Dir["man/man1/*.1"]
    bash_completion.install "completions/fuzzy-edit.bash" => "fuzzy-edit"
    zsh_completion.install "completions/_fuzzy-edit"
    fish_completion.install "completions/fuzzy-edit.fish"
  end

  test do
    (testpath/"a.txt").write "a  b\n"
    system bin/"fuzzy-edit", "apply", "a.txt", "--old", "a b", "--new", "c"
    assert_equal "c\n", (testpath/"a.txt").read
  end
end
