package org.fedometer.profiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class UserFoldersTest {

  @Test
  void theVariableComesBeforePasswdAndNoPathIsRelative() {
    assertThat(UserFolders.home("/h", "/p")).isEqualTo(Path.of("/h"));
    assertThat(UserFolders.home(null, "/p")).isEqualTo(Path.of("/p"));
    assertThat(UserFolders.home("", "/p")).isEqualTo(Path.of("/p"));
    assertThat(UserFolders.home("relative", "/p")).isEqualTo(Path.of("/p"));
    assertThatThrownBy(() -> UserFolders.home(null, "?"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("set HOME");
  }
}
