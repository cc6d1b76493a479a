package org.fedometer.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@link AgentJarIT} covers the classes in the agent's real jar. */
class IsolatedClassLoaderTest {

  @Test
  void onceItsJarIsGivenBackItHasTheJdksClassesAndNoOthers(@TempDir Path folder) throws Exception {
    Path jar = folder.resolve("agent.jar");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new ZipEntry("inside/of/Agent.classdata"));
      out.closeEntry();
    }
    IsolatedClassLoader loader = new IsolatedClassLoader(jar.toFile(), getClass().getClassLoader());
    assertThat(loader.getResource("of/Agent.class")).isNotNull();

    loader.close();

    assertThatThrownBy(() -> loader.loadClass("of.Agent"))
        .isInstanceOf(ClassNotFoundException.class);
    assertThat(loader.getResource("of/Agent.class")).isNull();
    assertThat(loader.getResourceAsStream("of/Agent.class")).isNull();
    assertThat(loader.loadClass("javax.xml.parsers.SAXParserFactory").getClassLoader())
        .isNotSameAs(loader);
  }
}
