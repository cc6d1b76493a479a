package org.fedometer.datasets.patents;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ForeignPatentTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "HHHHHT  APS1 ISSUE - 760106 | is in APS",
        "PATN%nWKU  039305840 | is in APS",
        "<!DOCTYPE PATDOC PUBLIC '-//USPTO//DTD ST.32 US PATENT GRANT V2.4//EN'><PATDOC DTD=2.4><SDOBI> | is SGML",
        "PK%c%c | a zip file",
        "<?xml version='1.0'?><PATDOC><SDOBI> | not well-formed"
      })
  void aFormatThatIsNotReadIsNamed(String text, String named) {
    byte[] bytes = text.formatted(3, 4).getBytes(StandardCharsets.ISO_8859_1);
    assertThatThrownBy(() -> PatentXmlReader.read(new ByteArrayInputStream(bytes)))
        .isInstanceOf(PatentXmlReader.NotAPatentException.class)
        .hasMessageContaining(named);
  }
}
