package org.fedometer.agent.core.telemetry;

import static org.awaitility.Awaitility.await;

import java.io.File;
import org.junit.jupiter.api.Test;

class DiskSpaceMonitorTest {

  @Test
  void aLookThatFoundNoMemoryIsMadeAgain() {
    RecordingSink readings = new RecordingSink();
    DiskSpaceMonitor disk = new DiskSpaceMonitor(new Home());
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

  /** Runs out of memory at the first query. */
  private static final class Home extends File {
    private static final long serialVersionUID = 1L;
    private boolean requests;

    Home() {
      super(".");
    }

    @Override
    public long getTotalSpace() {
      if (!requests) {
        requests = true;
        throw new OutOfMemoryError("provoked");
      }
      return super.getTotalSpace();
    }
  }
}
