# For a tap: brew install snaphook/tap/snaphook. 'brew update-python-resources' fills in the resources of a release.
class Snaphook < Formula
  include Language::Python::Virtualenv

  desc "Hooks layer for AI coding agents"
  homepage "https://github.com/snaphook/snaphook"
  url "https://github.com/snaphook/snaphook/releases/download/v0.1.0/snaphook-0.1.0.tar.gz"
  license "MIT"

  depends_on "python@3.13"

  def install
    virtualenv_install_with_resources
    bin.install_symlink libexec/"bin/snaphook-hook"
  end

  test do
    assert_match "deny: blocked", shell_output("#{bin}/snaphook explain 'rm -rf /'")
  end
end
