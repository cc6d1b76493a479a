package org.fedometer.agent.core.weave;

import java.util.ArrayList;
import java.util.List;
import org.aspectj.weaver.loadtime.definition.Definition;
import org.fedometer.aspects.TimedStage;
import org.fedometer.wire.FailureText;

/** Has the weaver take an own stage in, apart from all others and from Fedora. */
final class CustomStageTrial {

  private CustomStageTrial() {}

  /**
   * @throws IllegalArgumentException with what the weaver says against it
   */
  static void run(CustomStage stage) {
    Definition alone = new Definition();
    alone.appendWeaverOptions("-Xlint:ignore");
    alone.getConcreteAspects().add(CustomAspect.forWeaver(stage));
    List<String> complaints = new ArrayList<>();
    boolean accepted = false;
    try {
      accepted =
          new LoaderWeaver(TimedStage.class.getClassLoader(), alone, complaints::add).hasAspects();
    } catch (RuntimeException weaverGaveUp) {
      complaints.add(FailureText.inOneLine(weaverGaveUp));
    }
    if (!accepted || !complaints.isEmpty()) {
      throw new IllegalArgumentException(
          "own stage "
              + stage.name()
              + ": the weaver does not take '"
              + stage.pointcut()
              + "': "
              + String.join("; ", complaints));
    }
  }
}
