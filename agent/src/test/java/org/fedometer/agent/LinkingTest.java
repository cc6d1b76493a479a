package org.fedometer.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.fedometer.agent.core.weave.LinkingRounds;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Weaving a class that another thread links (JDK-8277444), in a real JVM. */
@Tag("slow")
class LinkingTest {

  private static final int ROUNDS = 40;

  @TempDir Path folder;

  @Test
  void aClassThatIsBeingLinkedIsWovenAsAnyOther() throws Exception {
    Path err = folder.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-javaagent:" + agent(),
                "-cp",
                System.getProperty("java.class.path"),
                LinkingRounds.class.getName(),
                String.valueOf(ROUNDS))
            .redirectError(err.toFile());
    // The JVM reports these on standard error.
    builder.environment().keySet().removeAll(Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
    Process java = builder.start();
    String said = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(java.waitFor()).as(Files.readString(err)).isZero();
    assertThat(said).isEqualToIgnoringNewLines("0 broken, 0 unwoven, of " + ROUNDS);
    assertThat(err).isEmptyFile();
  }

  private Path agent() throws Exception {
    Path jar = folder.resolve("agent.jar");
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", LinkingRounds.class.getName());
    manifest.getMainAttributes().putValue("Can-Retransform-Classes", "true");
    new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    return jar;
  }
}
