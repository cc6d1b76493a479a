package org.fedometer.store.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

class RangeCrcTest {
  @Test
  void theChecksumOfARangeIsThatOfItsBytes() {
    Random random = new Random(5);
    for (int size : new int[] {0, 1, 255, 256, 257, 1_000, 300_000}) {
      byte[] content = new byte[size];
      random.nextBytes(content);
      RangeCrc ranges = new RangeCrc(ByteBuffer.wrap(content));
      for (int i = 0; i < 500; i++) {
        int begin = i == 0 ? 0 : random.nextInt(size + 1);
        int length = i == 0 ? size : random.nextInt(size - begin + 1);
        CRC32 crc = new CRC32();
        crc.update(content, begin, length);
        assertThat(ranges.of(begin, length))
            .as("%s of %s from %s", length, size, begin)
            .isEqualTo((int) crc.getValue());
      }
    }
  }
}
