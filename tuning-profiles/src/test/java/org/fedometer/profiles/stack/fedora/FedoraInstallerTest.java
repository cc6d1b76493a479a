package org.fedometer.profiles.stack.fedora;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Properties;
import org.junit.jupiter.api.Test;

class FedoraInstallerTest {

  @Test
  void equalPropertiesAreEqualTextInWhateverOrderTheyWereSet() throws Exception {
    Properties one = new Properties();
    Properties other = new Properties();
    // Equal hashes, so that Properties itself returns them in insertion order.
    one.setProperty("Aa", "1");
    one.setProperty("BB", "#2");
    other.setProperty("BB", "#2");
    other.setProperty("Aa", "1");

    assertThat(FedoraInstaller.textOf(one)).isEqualTo(FedoraInstaller.textOf(other));
    assertThat(FedoraInstaller.textOf(one)).isEqualTo("Aa=1\nBB=\\#2\n");
  }
}
