package org.fedometer.repair;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatementTest {

  private static Statement of(String subject, String object) {
    return new Statement(null, subject, "<urn:p>", object);
  }

  private static String typed(String value, String type) {
    return "\"" + value + "\"^^http://www.w3.org/2001/XMLSchema#" + type;
  }

  @ParameterizedTest
  @CsvSource({
    "int,042,42",
    "nonNegativeInteger,+7,7",
    "decimal,1.50,1.5",
    "double,1,1.0E0",
    "boolean,1,true",
    "dateTime,2001-02-03T04:05:06.100Z,2001-02-03T04:05:06.1Z",
    "dateTime,2001-02-03T04:05:06Z,2001-02-03T05:05:06.000+01:00",
    "dateTime,2001-02-03T04:05:06.000,2001-02-03T04:05:06"
  })
  void literalsOfOneValueAreEqualAndHaveOneFingerprint(String type, String one, String other) {
    Statement first = of("<info:fedora/a:1>", typed(one, type));
    Statement second = of("<info:fedora/a:1>", typed(other, type));

    assertThat(first).isEqualTo(second).hasSameHashCodeAs(second);
    assertThat(first.fingerprint()).isEqualTo(second.fingerprint());
  }

  @Test
  void otherValuesTypesAndTextsAreNotEqual() {
    Statement seven = of("<info:fedora/a:1>", typed("7", "int"));

    assertThat(seven)
        .isNotEqualTo(of("<info:fedora/a:1>", typed("8", "int")))
        .isNotEqualTo(of("<info:fedora/a:1>", typed("7", "long")))
        .isNotEqualTo(of("<info:fedora/a:1>", "\"7\""))
        .isNotEqualTo(of("<info:fedora/a:2>", typed("7", "int")));
    assertThat(of("<info:fedora/a:1>", "\"07\"")).isNotEqualTo(of("<info:fedora/a:1>", "\"7\""));
    assertThat(of("<info:fedora/a:1>", typed("no number", "int")))
        .isEqualTo(of("<info:fedora/a:1>", typed("no number", "int")));
  }

  @Test
  void aStatementIsAboutAnObjectOrADatastreamOfIt() {
    assertThat(of("<info:fedora/a:1>", "<urn:o>").pid()).isEqualTo("a:1");
    assertThat(of("<info:fedora/a:1/DC>", "<urn:o>").pid()).isEqualTo("a:1");
    assertThat(of("<http://example.org/a:1>", "<urn:o>").pid()).isNull();
  }

  @Test
  void aLineIsNTriples() {
    assertThat(of("<info:fedora/a:1>", typed("042", "int")).line())
        .isEqualTo("<info:fedora/a:1> <urn:p> \"042\"^^<http://www.w3.org/2001/XMLSchema#int> .");
    assertThat(of("<info:fedora/a:1>", "\"b\"@en").line())
        .isEqualTo("<info:fedora/a:1> <urn:p> \"b\"@en .");
  }
}
