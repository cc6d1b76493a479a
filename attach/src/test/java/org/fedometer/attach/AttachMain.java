package org.fedometer.attach;

import java.nio.file.Path;
import java.util.Map;

/** The tool in a separate JVM: attaches to a PID and prints the result. */
public final class AttachMain {
  private AttachMain() {}

  /** Arguments: PID, the agent's jar. */
  public static void main(String[] arguments) throws Exception {
    System.out.println(
        "jdk.attach "
            + (ModuleLayer.boot().findModule("jdk.attach").isPresent() ? "is" : "is not")
            + " here");
    try {
      Jvm jvm = Jvms.of(Long.parseLong(arguments[0]));
      AgentTool tool = new AgentTool(Path.of(arguments[1]));
      System.out.println(tool.attach(jvm, Map.of(), true, message -> {}).message());
    } catch (AttachException e) {
      System.out.println(e.getMessage());
    }
  }
}
