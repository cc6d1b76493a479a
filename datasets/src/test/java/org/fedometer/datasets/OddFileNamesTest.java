package org.fedometer.datasets;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.fedometer.datasets.catalogue.Datasets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files are used whatever their names, if the system allows these, and whatever the locale. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "has no such names")
class OddFileNamesTest {

  private static final String FOXML =
      """
      <foxml:digitalObject VERSION="1.1" PID="a:%s" xmlns:foxml="info:fedora/fedora-system:def/foxml#">
      <foxml:objectProperties>
      <foxml:property NAME="info:fedora/fedora-system:def/model#state" VALUE="Active"/>
      </foxml:objectProperties>
      <foxml:datastream ID="A" CONTROL_GROUP="M">
      <foxml:datastreamVersion ID="A.0" MIMETYPE="text/plain">
      <foxml:binaryContent>YWFh</foxml:binaryContent>
      </foxml:datastreamVersion></foxml:datastream></foxml:digitalObject>
      """;

  private static final String PATENT =
      """
      <wo-patent-document lang="EN"><bibliographic-data>
      <publication-reference><document-id><country>XY</country><doc-number>%s</doc-number>
      <kind>A1</kind><date>20010203</date></document-id></publication-reference>
      <invention-title>A title</invention-title>
      </bibliographic-data><abstract><p>An abstract.</p></abstract></wo-patent-document>
      """;

  @TempDir private Path directory;

  @Test
  void aBackslashIsALetterWhereItSeparatesNothing() throws Exception {
    Files.writeString(directory.resolve("a\\b.xml"), FOXML.formatted("1"));

    Dataset dataset = Datasets.open("foxml:" + directory, DatasetOptions.unlimited("fm"));

    assertThat(dataset.object(0).pid()).isEqualTo("a:1");
    assertThat(contents(dataset.object(0))).isEqualTo("aaa");
  }

  /** The letter e with an acute and with a grave accent in UTF-8, and the first in ISO 8859-1. */
  @ParameterizedTest
  @ValueSource(strings = {"C", "C.UTF-8"})
  @Timeout(120)
  void acceptsFoxmlNamesOutsideTheLocale(String locale) throws Exception {
    write("\\303\\251.xml", FOXML.formatted("1"));
    write("\\303\\250.xml", FOXML.formatted("2"));
    write("\\351.xml", FOXML.formatted("3"));

    for (String pids : List.of("kept", "new")) {
      assertThat(openedIn(locale, "foxml:" + directory + ",pids=" + pids).split("\n"))
          .containsExactlyInAnyOrder("a:1 aaa", "a:2 aaa", "a:3 aaa");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"C", "C.UTF-8"})
  @Timeout(120)
  void keepsCompanionsOfNamesOutsideTheLocale(String locale) throws Exception {
    List<String> names = List.of("\\303\\251", "\\303\\250", "\\351");
    for (int i = 0; i < names.size(); i++) {
      write(names.get(i) + ".xml", PATENT.formatted(i));
      write(names.get(i) + ".pdf", "%PDF-of-" + i);
    }

    assertThat(openedIn(locale, "patents-xml:" + directory).lines().map(String::strip))
        .filteredOn(line -> line.contains("%PDF"))
        .allMatch(line -> line.endsWith("%PDF-of-" + line.charAt(0)))
        .hasSize(3);
  }

  /** By a shell, to which names are bytes: this JVM's locale may be either. */
  private void write(String escapedName, String content) throws Exception {
    Process shell =
        new ProcessBuilder("sh", "-c", "cat > \"$(printf '" + escapedName + "')\"")
            .directory(directory.toFile())
            .start();
    shell.getOutputStream().write(content.getBytes(StandardCharsets.US_ASCII));
    shell.getOutputStream().close();
    assertThat(shell.waitFor()).isZero();
  }

  private static String openedIn(String locale, String dataset) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Opening.class.getName(),
                dataset)
            .redirectErrorStream(true);
    builder.environment().putAll(Map.of("LC_ALL", locale, "LANG", locale));
    Process child = builder.start();
    String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(child.waitFor()).as(output).isZero();
    return output;
  }

  private static String contents(RepositoryObject object) throws IOException {
    StringBuilder contents = new StringBuilder();
    for (ContentStream content : object.content()) {
      try (InputStream in = content.open()) {
        contents.append(new String(in.readAllBytes(), StandardCharsets.US_ASCII));
      }
    }
    return contents.toString();
  }

  /** Runs in the child: opens a dataset, and reads all that is in three objects. */
  static final class Opening {
    public static void main(String[] arguments) throws IOException {
      Dataset dataset = Datasets.open(arguments[0], DatasetOptions.unlimited("fm"));
      for (int i = 0; i < 3; i++) {
        RepositoryObject object = dataset.object(i);
        ByteArrayOutputStream foxml = new ByteArrayOutputStream();
        object.writeFoxml(foxml);
        String contents = contents(object);
        if (arguments[0].startsWith("patents")) {
          String number = contents.replaceAll("(?s).*<doc-number>|</doc-number>.*", "");
          String pdf = contents.substring(contents.indexOf("%PDF"));
          System.out.println(number + " " + pdf);
        } else {
          System.out.println(object.pid().replaceAll("^fm:(.)-.*", "a:$1") + " " + contents);
        }
      }
    }
  }
}
