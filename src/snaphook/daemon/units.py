"""Units for those who want the system to keep the daemon."""


def systemd(python: str) -> str:
    """Return a user unit for systemd."""
    return f"""\
# ~/.config/systemd/user/snaphook.service, then: systemctl --user enable --now snaphook
[Unit]
Description=Snaphook daemon: answers the hooks of coding agents

[Service]
ExecStart={python} -I -m snaphook daemon run --idle 1e9
Restart=on-failure
NoNewPrivileges=yes

[Install]
WantedBy=default.target"""


def launchd(python: str) -> str:
    """Return an agent for launchd."""
    words = "".join(
        f"      <string>{word}</string>\n"
        for word in (python, "-I", "-m", "snaphook", "daemon", "run", "--idle", "1e9")
    )
    return f"""\
<!-- ~/Library/LaunchAgents/dev.snaphook.daemon.plist, then: launchctl load -w that file -->
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
  <dict>
    <key>Label</key><string>dev.snaphook.daemon</string>
    <key>ProgramArguments</key>
    <array>
{words}    </array>
    <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
  </dict>
</plist>"""
