package org.fedometer.profiles;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** That Fedora's tables and MPTStore's get a database each, however their URLs are written. */
class ExternalDatabaseUrlsTest {

  @ParameterizedTest
  @CsvSource({
    "postgresql, jdbc:postgresql://db/fedora, jdbc:postgresql://db/fedora",
    "postgresql, jdbc:postgresql://db/fedora, jdbc:postgresql://db:5432/fedora",
    "postgresql, jdbc:postgresql://db/fedora?ssl=true, jdbc:postgresql://DB/fedora",
    "mysql, jdbc:mysql://db:3306/fedora, jdbc:mysql://db/fedora?useSSL=false",
    "mariadb, jdbc:mysql://db/fedora, jdbc:mysql://db:3306/fedora"
  })
  void oneDatabaseUnderTwoUrlsIsRefused(String product, String url, String triplesUrl) {
    assertThatThrownBy(() -> profile(product, url, triplesUrl))
        .isInstanceOf(ProfileFileException.class)
        .hasMessageContaining("database.triplesUrl names the database of database.url");
  }

  @ParameterizedTest
  @CsvSource({
    "postgresql, jdbc:postgresql://db/fedora, jdbc:postgresql://db/triples",
    "postgresql, jdbc:postgresql://db/fedora, jdbc:postgresql://db:5433/fedora",
    "mysql, jdbc:mysql://db/fedora, jdbc:mysql://db:5432/fedora",
    "mysql, jdbc:mysql://db/fedora, jdbc:mysql://db/Fedora",
    "mysql, jdbc:mysql://one/fedora, jdbc:mysql://two/fedora"
  })
  void acceptsTwoDatabases(String product, String url, String triplesUrl) {
    assertThatCode(() -> profile(product, url, triplesUrl)).doesNotThrowAnyException();
  }

  private static void profile(String product, String url, String triplesUrl)
      throws UnknownProfileException {
    Profiles.shipped()
        .profile(
            "mptstore-postgresql",
            List.of(
                "database=" + product + "-external",
                "database.url=" + url,
                "database.triplesUrl=" + triplesUrl));
  }
}
