package org.fedometer.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.fedometer.collector.CollectorOptions;
import org.fedometer.collector.CollectorServer;
import org.fedometer.experiments.collect.CollectorAccess;
import org.fedometer.experiments.collect.CollectorLink;
import org.fedometer.experiments.collect.CollectorTarget;
import org.fedometer.experiments.job.Interruption;
import org.fedometer.store.Ulid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A job whose collector is away, and which would wait for the seal for ten minutes. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SealWaitTest {
  @TempDir Path directory;

  private final Interruption interruption = new Interruption(Duration.ofMillis(1));

  @Test
  void aStopRequestEndsTheWaitAndReportsWhatIsUnsealed() throws Exception {
    CollectorServer collector =
        CollectorServer.start(
            CollectorOptions.foreground(new InetSocketAddress("127.0.0.1", 0), directory));
    try (CollectorLink link =
        CollectorLink.open(
            new CollectorTarget(directory, collector.address(), CollectorAccess.PLAIN, List.of()),
            Ulid.next(),
            "night")) {
      collector.close();
      interruption.conductedBy(Thread.currentThread());
      interruption.cleanUp();

      assertThatThrownBy(
              () ->
                  SealWait.await(
                      interruption, link, () -> link.closeRun(held -> interruption.raise())))
          .isInstanceOf(IOException.class)
          .hasMessage(
              "ended on request before the run was sealed; the collector at "
                  + link.hostAndPort()
                  + " seals it by itself, and 'fedometer runs list' shows when it has");
    } finally {
      collector.close();
    }
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }
}
