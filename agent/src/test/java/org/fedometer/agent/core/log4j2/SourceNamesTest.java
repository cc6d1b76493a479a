package org.fedometer.agent.core.log4j2;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Names are kept only as long as they are probably needed. */
class SourceNamesTest {

  private static final int MAX = SourceNames.MAX_PER_KIND;

  private final SourceNames names = new SourceNames();

  @Test
  void ofMoreThreadsThanItKeepsThoseInUseHaveTheirNames() {
    for (int number = 0; number < MAX; number++) {
      names.nameThreads(Map.of(number, "thread " + number));
    }
    assertThat(names.thread(0)).isEqualTo("thread 0");
    names.nameThreads(Map.of(MAX, "newest"));
    assertThat(names.thread(0)).isEqualTo("thread 0");
    assertThat(names.thread(1)).isEqualTo("#1");
    assertThat(names.thread(2)).isEqualTo("thread 2");
    assertThat(names.thread(MAX)).isEqualTo("newest");
  }

  @Test
  void whatIsRecalledIsOlderThanWhatIsKnown() {
    names.nameStages(Map.of(1, "now"));
    names.recallStages(Map.of(2, "newer"));
    names.recallStages(Map.of(1, "once", 2, "older", 3, "oldest"));
    assertThat(names.stage(1)).isEqualTo("now");
    assertThat(names.stage(2)).isEqualTo("newer");
    assertThat(names.stage(3)).isEqualTo("oldest");
  }

  @Test
  void recalledNamesReplaceNoOthers() {
    for (int number = 0; number < MAX; number++) {
      names.nameThreads(Map.of(number, "thread " + number));
    }
    names.recallThreads(Map.of(MAX, "of long ago"));
    assertThat(names.thread(MAX)).isEqualTo("#" + MAX);
    assertThat(names.thread(0)).isEqualTo("thread 0");
  }
}
