package org.fedometer.datasets;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The same objects in another JVM to the byte. A server's Java has no fonts, perhaps no desktop at
 * all, and the driver should leave the memory to the repository: objects are made in a Java of two
 * modules with a heap of 48 MB and in a foreign locale.
 */
class BareJavaTest {

  /** Runs in the child: writes objects to nowhere and prints what it made. */
  static final class Child {

    public static void main(String[] arguments) throws Exception {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      Dataset dataset = Datasets.open("patents", DatasetOptions.unlimited("fm"));
      System.out.println(sha256(dataset) + " " + dataset.object(499).pid());
    }
  }

  @Test
  @Timeout(120)
  void objectsNeedNeitherDesktopNorFontsNorMuchMemory() throws Exception {
    Dataset dataset = Datasets.open("patents", DatasetOptions.unlimited("fm"));
    String expected = sha256(dataset);

    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--limit-modules",
                "java.base,java.xml",
                "-Xmx48m",
                "-cp",
                classPathWithoutPdfBox(),
                Child.class.getName())
            .redirectErrorStream(true)
            .start();
    String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(output.strip()).isEqualTo(expected + " fm:WO-499");
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
