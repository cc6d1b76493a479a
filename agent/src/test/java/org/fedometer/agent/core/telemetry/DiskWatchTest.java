package org.fedometer.agent.core.telemetry;

import static org.awaitility.Awaitility.await;

import java.io.File;
import org.junit.jupiter.api.Test;

class DiskWatchTest {

  @Test
  void aLookThatFoundNoMemoryIsMadeAgain() {
    ReadingsKept readings = new ReadingsKept();
    DiskWatch disk = new DiskWatch(new Home());
    disk.start();
    try {
      await()
          .until(
              () -> {
                disk.read(readings);
                return readings.values.containsKey("fedora.home.disk.free");
              });
    } finally {
      disk.end();
    }
  }

  /** Of which the first question finds no memory. */
  private static final class Home extends File {
    private static final long serialVersionUID = 1L;
    private boolean asked;

    Home() {
      super(".");
    }

    @Override
    public long getTotalSpace() {
      if (!asked) {
        asked = true;
        throw new OutOfMemoryError("provoked");
      }
      return super.getTotalSpace();
    }
  }
}
