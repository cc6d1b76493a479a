package org.fedometer.agent.core.weave;

import java.util.ArrayList;
import java.util.List;
import org.aspectj.weaver.loadtime.definition.Definition;
import org.fedometer.aspects.TimedStage;
import org.fedometer.wire.FailureText;

/** Tests a custom stage in the weaver, isolated from all others and from Fedora. */
final class CustomStageTrial {

  private CustomStageTrial() {}

  /**
   * @throws IllegalArgumentException with the weaver's complaint
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
          "custom stage "
              + stage.name()
              + ": the weaver does not accept '"
              + stage.pointcut()
              + "': "
              + String.join("; ", complaints));
    }
  }
}
