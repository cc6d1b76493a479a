package org.fedometer.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SystemBrowserTest {
  @Test
  void prefersTheUserBrowser() {
    assertThat(SystemBrowser.commands(Map.of("BROWSER", "firefox"), "Linux"))
        .startsWith(List.of("firefox"))
        .contains(List.of("xdg-open"));
  }

  @Test
  void usesTheSystemOpener() {
    assertThat(SystemBrowser.commands(Map.of(), "Linux")).startsWith(List.of("xdg-open"));
    assertThat(SystemBrowser.commands(Map.of("BROWSER", " "), "Mac OS X"))
        .containsExactly(List.of("open"));
    assertThat(SystemBrowser.commands(Map.of(), "Windows 11"))
        .containsExactly(List.of("rundll32", "url.dll,FileProtocolHandler"));
  }
}
