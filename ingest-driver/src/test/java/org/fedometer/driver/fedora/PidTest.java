package org.fedometer.driver.fedora;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PidTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":",
        "a",
        "a:",
        ":b",
        "a b:c",
        "a:b c",
        "a:b'c",
        "a:b\"c",
        "a:b%",
        "a:b%2",
        "a:b%2g",
        "a:b%2f",
        "%41:b",
        "a:b/c",
        "a:../../describe",
        "a:b?format=xml",
        "a:b#c",
        "a:b\\c",
        "a:b;jsessionid=1",
        "a:b\r\nHost: x",
        "a:b\u0000",
        "a:\u001b[2J",
        "a:\u00e4",
        "a:\ud83d\ude00",
        "a:\u202eb",
        "a:bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
      })
  void whatIsNoPidBecomesNoAddress(String pid) {
    assertThatThrownBy(() -> Pid.inPath(pid))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is not a valid PID");
  }

  @ParameterizedTest
  @CsvSource({
    "a:1, a:1",
    "A.b-c:D~e_F-1.2, A.b-c:D~e_F-1.2",
    "a:b%2Fc%00, a:b%252Fc%2500",
    "a:.., a:..",
  })
  void aPidIsOneSegmentOfThePathWhateverItSpells(String pid, String segment) {
    assertThat(Pid.inPath(pid)).isEqualTo(segment);
    URI address = URI.create("http://127.0.0.1:1/fedora/objects/" + Pid.inPath(pid) + "/x");
    assertThat(address.normalize().getPath()).isEqualTo("/fedora/objects/" + pid + "/x");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1", "-", "a/b", "..", "a b", "a?b", "\u00e4", "a\n"})
  void whatIsNoIdentifierOfADatastreamBecomesNoAddress(String id) {
    assertThatThrownBy(() -> Pid.datastreamInPath(id)).isInstanceOf(IllegalArgumentException.class);
  }
}
