package org.fedometer.profiles.stack.home;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigurationFilesTest {

  @TempDir private Path folder;

  @Test
  void everyFileOfTheFolderAndItsFoldersHasAPathThatARunMayHave() throws Exception {
    Files.createDirectories(folder.resolve("spring/web"));
    for (String path : new String[] {"a.xml", "spring/web/a.xml", "spring/it's mine.xml"}) {
      Files.writeString(folder.resolve(path), "x");
    }
    Files.writeString(folder.resolve("README.txt"), "for readers");
    Files.write(folder.resolve("large.xml"), new byte[(1 << 20) + 1]);
    Files.createSymbolicLink(folder.resolve("link.xml"), folder.resolve("a.xml"));
    Map<String, Path> files = new TreeMap<>();

    new ConfigurationFiles("tomcat/", folder).addTo(files);

    assertThat(files)
        .containsOnlyKeys("tomcat/a.xml", "tomcat/spring/web/a.xml", "tomcat/spring/it_s_mine.xml")
        .containsEntry("tomcat/spring/it_s_mine.xml", folder.resolve("spring/it's mine.xml"));
  }

  @Test
  void limitsTheNumberOfFiles() throws Exception {
    for (int i = 0; i < 600; i++) {
      Files.createFile(folder.resolve(i + ".xml"));
    }
    Map<String, Path> files = new TreeMap<>();

    new ConfigurationFiles("", folder).addTo(files);

    assertThat(files).hasSize(500);
  }

  @Test
  void aFolderThatIsNotThereHasNone() throws Exception {
    Map<String, Path> files = new TreeMap<>();

    new ConfigurationFiles("", folder.resolve("none")).addTo(files);

    assertThat(files).isEmpty();
  }
}
