package org.fedometer.profiles.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.MalformedURLException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class HomeScanTest {

  @Test
  void whatIsInstalledBelowAFolderWithABlankIsFoundByTheOtherJvm() throws MalformedURLException {
    Path jar = Path.of("/opt/our tools/100%/repair.jar");

    assertThat(HomeScan.fileAt(jar.toUri().toURL())).isEqualTo(jar);
  }
}
