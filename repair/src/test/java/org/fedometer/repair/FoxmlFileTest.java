package org.fedometer.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FoxmlFileTest {

  private static final String OBJECT =
      "<f:digitalObject VERSION='1.1' PID='a:1' xmlns:f='info:fedora/fedora-system:def/foxml#'>"
          + "<f:datastream ID='T' CONTROL_GROUP='M'>"
          + "<f:datastreamVersion ID='T.0' SIZE='12'>"
          + "<f:contentLocation TYPE='INTERNAL_ID' REF='a:1+T+T.0'/></f:datastreamVersion>"
          + "<f:datastreamVersion ID='T.1'>"
          + "<f:contentLocation TYPE='INTERNAL_ID' REF='a:1+T+T.1'/></f:datastreamVersion>"
          + "</f:datastream>"
          + "<f:datastream ID='E' CONTROL_GROUP='E'><f:datastreamVersion ID='E.0' SIZE='5'>"
          + "<f:contentLocation TYPE='URL' REF='http://example.org/a+b+c'/></f:datastreamVersion>"
          + "</f:datastream></f:digitalObject>";

  @TempDir private Path folder;

  private Path file(String content) throws IOException {
    return Files.write(folder.resolve("object"), content.getBytes("UTF-8"));
  }

  @Test
  void itNamesItsManagedContentAndNoOther() throws Exception {
    FoxmlFile foxml = FoxmlFile.read(file(OBJECT));

    assertThat(foxml.pid()).isEqualTo("a:1");
    assertThat(foxml.contents())
        .containsExactly(
            entry(new ContentKey("a:1", "T", "T.0"), 12L),
            entry(new ContentKey("a:1", "T", "T.1"), -1L));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 60, 200, 400})
  void whatWasWrittenHalfIsBroken(int bytes) throws Exception {
    Path half = file(OBJECT.substring(0, bytes));

    assertThatThrownBy(() -> FoxmlFile.read(half)).isInstanceOf(FoxmlFile.BrokenException.class);
  }

  @Test
  void anObjectWithoutAPidIsBroken() throws Exception {
    Path nameless = file(OBJECT.replace(" PID='a:1'", ""));

    assertThatThrownBy(() -> FoxmlFile.read(nameless))
        .isInstanceOf(FoxmlFile.BrokenException.class)
        .hasMessage("it names no PID");
  }

  @Test
  void anotherFormatIsNotBroken() throws Exception {
    FoxmlFile mets = FoxmlFile.read(file("<mets OBJID='a:1' xmlns='http://www.loc.gov/METS/'/>"));

    assertThat(mets.isFoxml()).isFalse();
    assertThat(FoxmlFile.read(file(OBJECT)).isFoxml()).isTrue();
  }

  /**
   * From a failed disk, or another program: one such object must not prevent repair of the others.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "<?xml version='1.0' encoding='UTF-8'?>",
        "<?xml version='1.0' encoding='US-ASCII'?>",
        "<?xml version='1.0' encoding='no-such-encoding'?>",
        "<?xml version='1.0' encoding='UTF-16'?>",
        ""
      })
  void bytesThatAreNoCharactersMakeItBroken(String declaration) throws Exception {
    Path file = file(declaration + OBJECT);
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length - 5] = (byte) 0xFF;
    bytes[bytes.length / 2] = (byte) 0xC3;
    Files.write(file, bytes);

    assertThatThrownBy(() -> FoxmlFile.read(file)).isInstanceOf(FoxmlFile.BrokenException.class);
  }

  @Test
  void attributesThatAreMissingOrOddCostNothingElse() throws Exception {
    String odd =
        OBJECT
            .replace(" REF='a:1+T+T.1'", "")
            .replace("SIZE='12'", "SIZE='99999999999999999999'")
            .replace("PID='a:1'", "PID='%1B]0;x'");

    FoxmlFile foxml = FoxmlFile.read(file(odd));

    assertThat(foxml.pid()).isEqualTo("%1B]0;x");
    assertThat(foxml.contents()).containsExactly(entry(new ContentKey("a:1", "T", "T.0"), -1L));
  }

  @Test
  void elementsAsDeepAsTheFileIsLongAreReadOrBroken() throws Exception {
    StringBuilder deep = new StringBuilder();
    for (int i = 0; i < 200_000; i++) {
      deep.append("<a>");
    }
    Path file = file(OBJECT.replace("</f:datastream></f:dig", deep + "</f:datastream></f:dig"));

    assertThatThrownBy(() -> FoxmlFile.read(file)).isInstanceOf(FoxmlFile.BrokenException.class);
  }

  @Test
  void entitiesAreNotFetched() throws Exception {
    Path file =
        file(
            "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>"
                + OBJECT.replace("</f:datastream></f:dig", "&e;</f:datastream></f:dig"));

    assertThatThrownBy(() -> FoxmlFile.read(file)).isInstanceOf(FoxmlFile.BrokenException.class);
  }

  @Test
  void aFileThatCannotBeReadIsNoBrokenObject() {
    assertThatThrownBy(() -> FoxmlFile.read(folder.resolve("nowhere")))
        .isInstanceOf(NoSuchFileException.class);
  }
}
