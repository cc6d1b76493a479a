package org.fedometer.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Causes are told in words, and without the names of classes. */
class FileCauseTest {
  @Test
  void aFileThatCannotBeReadIsToldWithItsReason() {
    assertThat(FileCause.of(new AccessDeniedException("1.seg")))
        .isEqualTo("1.seg may not be read or changed by this user");
    assertThat(FileCause.of(new NoSuchFileException("1.seg"))).isEqualTo("1.seg is not there");
    assertThat(FileCause.of(new FileSystemException("1.seg", null, "Input/output error")))
        .isEqualTo("1.seg: Input/output error");
    assertThat(FileCause.of(new IOException("torn"))).isEqualTo("torn");
    assertThat(FileCause.of(new IOException())).isEqualTo("it cannot be read or written");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "7",
        "\"text\"",
        "{\"id\": {}}",
        "{\"id\": [1]}",
        "{\"name\": \"a",
        "{\"schema\": \"x\"}",
        "{\"started\": {\"a\": 1}}",
        "nul",
        "{\"objects\": \"many\"}",
        "{\"id\": \"\\q\"}"
      })
  void aBrokenRunDocumentIsToldWithoutNamesOfClasses(String json) {
    assertThatThrownBy(
            () ->
                RunDocumentJson.read(
                    new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8))))
        .isInstanceOf(IOException.class)
        .message()
        .doesNotContain("fedometer", "java", "Token", "type")
        .matches("(it|its|the value of) .+");
  }
}
