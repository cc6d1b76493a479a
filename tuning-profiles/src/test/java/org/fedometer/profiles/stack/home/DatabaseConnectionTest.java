package org.fedometer.profiles.stack.home;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseConnectionTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  @ParameterizedTest
  @ValueSource(strings = {"postgresql", "mysql", "mariadb"})
  @Timeout(60)
  void aServerThatNeverAnswersIsNotWaitedForWithoutEnd(String scheme) throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      String url = "jdbc:%s://127.0.0.1:%d/x".formatted(scheme, silent.getLocalPort());

      assertThatThrownBy(() -> DatabaseConnection.open(url, "u", "p", SECOND, SECOND))
          .isInstanceOf(SQLException.class);
    }
  }
}
