package org.fedometer.profiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Malicious profiles and experiments from other people. */
@Timeout(60)
class HostileYamlTest {

  @Test
  void whatIsNestedWithoutAnEndIsRefusedWithItsLine() {
    StringBuilder indented = new StringBuilder();
    for (int depth = 0; depth < 3_000; depth++) {
      indented.append(" ".repeat(depth)).append("a:\n");
    }
    for (String text :
        new String[] {
          "a: " + "[".repeat(200_000),
          "a: " + "{b: ".repeat(200_000),
          "a: " + "- ".repeat(200_000),
          "? ".repeat(100_000),
          indented.toString()
        }) {
      assertRefused(text);
    }
  }

  @Test
  void referencesThatGrowAreRefused() {
    StringBuilder laughs = new StringBuilder("a0: &a0 [x, x]\n");
    for (int i = 1; i < 30; i++) {
      laughs.append("a%d: &a%d [*a%d, *a%d]\n".formatted(i, i, i - 1, i - 1));
    }

    assertRefused(laughs.toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a: !!javax.script.ScriptEngineManager [!!java.net.URL ['http://127.0.0.1:1/']]",
        "a: !!java.io.File [/etc/passwd]",
        "a: !<tag:yaml.org,2002:java/object> x"
      })
  void aTagMakesNoObject(String text) {
    try {
      YamlFile.Mapping read = YamlFile.parse("x.yaml", text);
      assertThat(read.entries().get("a"))
          .isInstanceOfAny(YamlFile.Scalar.class, YamlFile.Sequence.class);
    } catch (ProfileFileException e) {
      assertThat(e.problems()).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\u0000",
        "a: \u0007",
        "%YAML 9.9\n---\na: b",
        "%TAG ! x\n---\n!a b: c",
        "a: b\n---\nc: d",
        "a: b\n...\n\u001b",
        "\ufeff\ufeffa: b",
        "- a",
        "a: b\na: c",
        "\ud800"
      })
  void whatIsOddIsReadOrRefusedWithItsLine(String text) {
    try {
      YamlFile.parse("x.yaml", text);
    } catch (ProfileFileException e) {
      assertThat(e.problems())
          .singleElement()
          .satisfies(problem -> assertThat(problem.toString()).startsWith("x.yaml:"));
    }
  }

  /** Two elements of a kind are not mistaken for a single one. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "a: b\n---\nc: d",
        "a: b\n---\n",
        "a: b\n...\n---\na: b",
        "---\n---\na: b",
        "a: b\n--- c",
        "a: b\na: c",
        "a: b\n'a': c",
        "a: b\n? a\n: c",
        "a: {x: 1, \"x\": 2}",
        "a:\n- x: 1\n  x: 2",
        "a: b\n? [a, a]\n: c",
        "? {a: b, c: d}\n: c",
        "a: &x a\n*x : c",
        "a: b\n!!str a: c",
        "a: b\n&y a: c"
      })
  void aSecondDocumentOrKeyIsRefusedWithItsLine(String text) {
    assertRefused(text);
  }

  @Test
  void anyTextIsReadOrRefused() {
    String pieces = "{}[]:,-?&*!|>'\"%@` \n\tab0#\u00e9";
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(40); length > 0; length--) {
        text.append(pieces.charAt(random.nextInt(pieces.length())));
      }
      try {
        YamlFile.parse("x.yaml", text.toString());
      } catch (ProfileFileException e) {
        assertThat(e.problems()).as("seed %d: %s", seed, text).isNotEmpty();
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed + ": " + text, e);
      }
    }
  }

  private static void assertRefused(String text) {
    assertThatThrownBy(() -> YamlFile.parse("x.yaml", text))
        .as(text.substring(0, Math.min(20, text.length())))
        .isInstanceOfSatisfying(
            ProfileFileException.class,
            e ->
                assertThat(e.problems())
                    .singleElement()
                    .satisfies(
                        problem ->
                            assertThat(problem.toString()).startsWith("x.yaml:").hasLineCount(1)));
  }
}
