package org.fedometer.datasets;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.fedometer.datasets.catalogue.Datasets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The same objects in another JVM to the byte. A server's Java has no fonts, perhaps no desktop at
 * all, and the driver should leave the memory to the repository: objects are made in a Java of two
 * modules with a heap of 48 MB and in a foreign locale. Rendered PDFs need the desktop module but
 * nothing of the desktop.
 */
@Tag("slow")
class BareJavaTest {

  @TempDir Path folder;

  /** Runs in the child: writes objects to nowhere and prints what it made. */
  static final class Child {

    public static void main(String[] arguments) throws Exception {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      Dataset dataset = Datasets.open("patents", DatasetOptions.unlimited("fm"));
      System.out.println(
          sha256(dataset) + " " + dataset.object(499).pid() + " " + PinnedBytes.sha256());
    }
  }

  /** Runs in the child: renders PDFs and prints their SHA-256, or why they cannot be rendered. */
  static final class RenderingChild {

    public static void main(String[] arguments) throws Exception {
      try {
        System.out.println(renderedSha256s());
      } catch (IllegalArgumentException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  /** For objects 0, 3 and 11. */
  private static final String RENDERED =
      "dd731ddd35cb595f45249712d403befd7f239de78cac62e47215dffaabc43880 "
          + "36b5db93a810567088b6338d3bcbd5fc1b75c4cd814936844ecc832c43e02d65 "
          + "092656f5817da0a05a2fc2930e6e76d2c39191c2119cf4475ada125773e678cc";

  @Test
  @Timeout(120)
  void objectsNeedNeitherDesktopNorFontsNorMuchMemory() throws Exception {
    Dataset dataset = Datasets.open("patents", DatasetOptions.unlimited("fm"));
    String expected = sha256(dataset);

    String output =
        output(
            Child.class,
            classPathWithoutPdfBox(),
            "--limit-modules",
            "java.base,java.xml",
            "-Xmx48m");

    assertThat(output).isEqualTo(expected + " fm:WO-499 " + PinnedBytes.PINNED);
    assertThat(PinnedBytes.sha256()).isEqualTo(PinnedBytes.PINNED);
  }

  @Test
  void renderedPdfsArePinned() throws Exception {
    assertThat(renderedSha256s()).isEqualTo(RENDERED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  @Timeout(120)
  void renderedPdfsAreTheSameInAnotherCountryAndWithOrWithoutAScreen(String headless)
      throws Exception {
    assertThat(
            output(
                RenderingChild.class,
                System.getProperty("java.class.path"),
                "-Duser.language=ar",
                "-Duser.country=EG",
                "-Duser.timezone=Asia/Kathmandu",
                "-Dfile.encoding=IBM037",
                "-Dsun.stdout.encoding=US-ASCII",
                "-Djava.awt.headless=" + headless))
        .isEqualTo(RENDERED);
  }

  @Test
  @Timeout(120)
  void aJavaWithoutDesktopRefusesToRenderBeforeTheFirstObject() throws Exception {
    assertThat(
            output(
                RenderingChild.class,
                System.getProperty("java.class.path"),
                "--limit-modules",
                "java.base,java.xml"))
        .startsWith("real-pdf=true needs Java's module java.desktop")
        .endsWith("run with a full Java 17 or later, or leave real-pdf out");
  }

  /** Returns the output of a class in a separate JVM, which ends with this method. */
  private String output(Class<?> main, String classPath, String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", classPath, main.getName()));
    Path output = folder.resolve("output");
    Path errors = folder.resolve("errors");
    Process child =
        new ProcessBuilder(command)
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile())
            .start();
    try {
      assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      child.destroyForcibly();
    }
    assertThat(child.exitValue()).as(Files.readString(errors)).isZero();
    return Files.readString(output).strip();
  }

  private static String renderedSha256s() throws Exception {
    Dataset dataset = Datasets.open("patents:real-pdf=true", DatasetOptions.unlimited("fm"));
    List<String> hashes = new ArrayList<>();
    for (int index : new int[] {0, 3, 11}) {
      for (ContentStream content : dataset.object(index).content()) {
        if (content.id().equals("PDF")) {
          MessageDigest digest = MessageDigest.getInstance("SHA-256");
          try (InputStream in = content.open()) {
            hashes.add(HexFormat.of().formatHex(digest.digest(in.readAllBytes())));
          }
        }
      }
    }
    return String.join(" ", hashes);
  }

  private static String sha256(Dataset dataset) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    try (OutputStream out = new DigestOutputStream(OutputStream.nullOutputStream(), digest)) {
      for (int i = 0; i < 500; i++) {
        dataset.object(i).writeFoxml(out);
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static String classPathWithoutPdfBox() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !entry.contains("pdfbox"))
        .collect(Collectors.joining(File.pathSeparator));
  }
}
