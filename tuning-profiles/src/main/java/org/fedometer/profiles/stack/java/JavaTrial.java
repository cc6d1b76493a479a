package org.fedometer.profiles.stack.java;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.fedometer.profiles.stack.home.StackDocument;
import org.fedometer.profiles.stack.program.Command;
import org.fedometer.profiles.stack.program.ProvisioningException;

/**
 * Starts the Java that was found once with all arguments of the profile. Only the JVM itself knows
 * which it supports: builds of one version differ in their garbage collectors, and machines in
 * their memory. For one thread.
 */
public final class JavaTrial {

  /** Output lines of a failing JVM that do not explain why. */
  private static final Pattern UNINFORMATIVE =
      Pattern.compile(
          "Error occurred during initialization of VM.*|Error: Could not create the Java Virtual"
              + " Machine\\.|Error: A fatal exception has occurred.*|.* VM warning: .*|Picked up .*");

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final InstalledJava java;
  private final StackDocument stack;
  private final Duration limit;

  /**
   * @param what the name of the arguments, for the sentence
   * @param instead the advice if the JVM refuses them
   */
  private record Part(String what, List<String> arguments, String instead) {}

  /** Creates a trial with half a minute for each start. */
  public JavaTrial(InstalledJava java, StackDocument stack) {
    this(java, stack, LIMIT);
  }

  JavaTrial(InstalledJava java, StackDocument stack, Duration limit) {
    this.java = java;
    this.stack = stack;
    this.limit = limit;
  }

  /**
   * Starts the JVM and waits for its end, about a tenth of a second.
   *
   * @throws ProvisioningException if it refuses; gives the argument, the reason and advice
   */
  public void run() throws IOException, InterruptedException, ProvisioningException {
    List<Part> parts = parts();
    List<String> all = parts.stream().flatMap(part -> part.arguments().stream()).toList();
    if (start(all).status() == 0) {
      return;
    }
    List<String> arguments = new ArrayList<>();
    for (Part part : parts) {
      arguments.addAll(part.arguments());
      Command.Result result = start(arguments);
      if (result.status() != 0) {
        throw ProvisioningException.preflight(
            "Java %s (%s) in %s does not start %s: %s; %s.",
            java.version(),
            java.vendor(),
            java.home(),
            part.what(),
            reason(result),
            part.instead());
      }
    }
  }

  private List<Part> parts() {
    JvmArguments profile = new JvmArguments(stack);
    List<Part> parts = new ArrayList<>();
    parts.add(
        new Part(
            "even without arguments",
            List.of(),
            "name the folder of another one with --set jvm.home=DIR"));
    parts.add(
        new Part(
            "with this heap (" + String.join(" ", profile.heap()) + ")",
            profile.heap(),
            "choose another size, such as --set heap=1g"));
    parts.add(
        new Part(
            "with gc %s (%s)"
                .formatted(
                    stack.plan().choices().get("gc"), String.join(" ", profile.garbageCollector())),
            profile.garbageCollector(),
            "choose another garbage collector, such as --set gc=g1, or another Java, with --set jvm"
                + " or --set jvm.home=DIR"));
    parts.add(
        new Part(
            "with jvm.needed (%s)".formatted(String.join(" ", profile.needed())),
            profile.needed(),
            "choose another Java, with --set jvm or --set jvm.home=DIR"));
    for (String argument : profile.others()) {
      parts.add(
          new Part("with " + argument + " of jvm.arguments", List.of(argument), "leave it out"));
    }
    parts.add(
        new Part(
            "with a flight recording (jvm.jfr)",
            FlightRecording.trialArguments(stack),
            "choose --set jvm.jfr=none"));
    return parts;
  }

  private Command.Result start(List<String> arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(java.home().resolve("bin/java").toString());
    // A JVM without enough memory leaves a report in its working folder.
    command.add("-XX:ErrorFile=/dev/null");
    command.addAll(arguments);
    command.add("-version");
    return Command.execute(command, limit);
  }

  private String reason(Command.Result result) {
    if (result.status() == Command.KILLED) {
      return "it does not end within " + limit.toSeconds() + " s";
    }
    return result
        .output()
        .lines()
        .map(line -> line.replaceFirst("^[#\\s]+", "").strip())
        .filter(line -> !line.isEmpty() && !UNINFORMATIVE.matcher(line).matches())
        .findFirst()
        .map(line -> line.replaceFirst("^Error: ", "").replaceFirst("\\.$", ""))
        .orElse("it ends with status " + result.status());
  }
}
