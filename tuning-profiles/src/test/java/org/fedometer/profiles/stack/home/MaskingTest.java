package org.fedometer.profiles.stack.home;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MaskingTest {

  private final Masking masking = new Masking(List.of("Kn0wnSecret", ""));

  @Test
  void aKnownSecretIsMaskedWhereverItStands() {
    assertThat(masking.mask("x Kn0wnSecret/yKn0wnSecret")).isEqualTo("x ********/y********");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          <param name="dbPassword" value="other"/>                 | <param name="dbPassword" value="********"/>
          <param name="password" value="other">                    | <param name="password" value="********">
          <param value="other" name="gSearchPassword"/>            | <param value="********" name="gSearchPassword"/>
          <user name="a" password="other">                         | <user name="a" password="********">
          <user password='other'/>                                 | <user password='********'/>
          <x callUsername="u" callPassword="other" y="1"/>         | <x callUsername="u" callPassword="********" y="1"/>
          fedora.admin.pass=other                                  | fedora.admin.pass=********
          database.password = other word                           | database.password = ********
          jdbc:postgresql://127.0.0.1/x?user=a&password=other&b=c  | jdbc:postgresql://127.0.0.1/x?user=a&password=********&b=c
          -javaagent:/a.jar=collector=h:1,token=other,run=R        | -javaagent:/a.jar=collector=h:1,token=********,run=R
          """)
  void anUnknownSecretIsMaskedByItsPlace(String text, String masked) {
    assertThat(masking.mask(text)).isEqualTo(masked);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          <param name="poolMaxSize" value="10"/>
          <param name="dbUsername" value="fedora"/>
          password_encryption = md5
          host all all 127.0.0.1/32 md5
          fedora.port=8080
          """)
  void whatIsNoSecretStays(String text) {
    assertThat(masking.mask(text)).isEqualTo(text);
  }

  @Test
  void onlyTheLineOfTheSecretChanges() {
    assertThat(masking.mask("a=1\nx.password=other\nb=2\n"))
        .isEqualTo("a=1\nx.password=********\nb=2\n");
  }
}
