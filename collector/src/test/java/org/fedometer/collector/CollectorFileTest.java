package org.fedometer.collector;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CollectorFileTest {
  @TempDir Path store;

  @Test
  void whatWasWrittenIsReadAgain() throws Exception {
    CollectorFile file =
        new CollectorFile(17, "2026-01-02T03:04:05Z", "127.0.0.1", 4711, "1.0", null, null);

    file.write(store);

    assertThat(CollectorFile.read(store)).hasValue(file);
    assertThat(file.address()).isEqualTo(new InetSocketAddress("127.0.0.1", 4711));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "{}",
        "[]",
        "{\"pid\":17,\"ho",
        "{\"host\":null,\"port\":4711}",
        "{\"host\":\" \",\"port\":4711}",
        "{\"host\":\"127.0.0.1\"}",
        "{\"host\":\"127.0.0.1\",\"port\":0}",
        "{\"host\":\"127.0.0.1\",\"port\":65536}",
        "{\"host\":\"127.0.0.1\",\"port\":\"many\"}"
      })
  void aFileThatNamesNoCollectorIsNone(String content) throws Exception {
    Files.writeString(CollectorFile.in(store), content);

    assertThat(CollectorFile.read(store)).isEmpty();
  }
}
