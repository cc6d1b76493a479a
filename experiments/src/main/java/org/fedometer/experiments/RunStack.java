package org.fedometer.experiments;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.fedometer.experiments.job.JobListener;
import org.fedometer.experiments.job.Step;
import org.fedometer.experiments.stack.OwnStages;
import org.fedometer.experiments.stack.StackNews;
import org.fedometer.profiles.stack.LostTriplesException;
import org.fedometer.profiles.stack.Provisioner;
import org.fedometer.profiles.stack.Stack;
import org.fedometer.profiles.stack.StackRegistry;
import org.fedometer.profiles.stack.home.StackOptions;
import org.fedometer.profiles.stack.program.ProvisioningException;

/**
 * The Fedora of a run, with the agent in it: made for the run, or found as an earlier process of
 * the run has left it. Used by the job's one thread, and by its keeper's while that runs.
 */
final class RunStack {
  /** Of its logs the one that tells why Fedora has failed. */
  static final String FEDORA_LOG = "fedora.log";

  private final RunOptions options;
  private final Path home;
  private final String agentArguments;
  private final JobListener listener;

  /** Null before it is made or found. */
  private Stack stack;

  /** The collector that the agent is to send to is given as {@code HOST:PORT}. */
  RunStack(
      RunOptions options,
      Path home,
      String runId,
      String runName,
      String collector,
      JobListener listener) {
    this.options = options;
    this.home = home;
    this.agentArguments =
        options.collector().access().agentOptions(collector, options.agentOptions())
            + ",run="
            + runId
            + ",run-name="
            + runName
            + ",source-name=fedora"
            + telemetryArguments(options);
    this.listener = listener;
  }

  /**
   * The log of garbage collections tells their pauses, and more exactly: none is to count twice.
   */
  private static String telemetryArguments(RunOptions options) {
    return options.telemetryInterval().isZero()
        ? ",telemetry=off"
        : ",gc-events=off,telemetry-interval=" + options.telemetryInterval().toMillis() / 1e3;
  }

  /** Makes it, for a run that will put so many bytes on its disk. */
  Stack provision(long expectedBytes) throws ProvisioningException {
    StackOptions how =
        StackOptions.at(home)
            .withHttpPort(options.httpPort())
            .withExpectedDataBytes(expectedBytes)
            .withAgent(options.agentJar(), agentArguments);
    stack =
        Provisioner.ofUser()
            .provision(options.profile(), how, new StackNews(Step.PROVISION, listener));
    return stack;
  }

  /** Finds it as it is now, since nobody else can be at work on it any more. */
  void find() throws IOException {
    stack =
        StackRegistry.ofUser()
            .find(home)
            .orElseThrow(() -> new IOException("Fedora's home " + home + " is gone."));
  }

  /** Of one that was made. */
  void start() throws ProvisioningException {
    stack.useEnvironment(options.collector().access().agentEnvironment());
    stack.start(new StackNews(Step.START, listener));
  }

  /**
   * Of one that was found. A Fedora that an earlier process has left running goes on, unless its
   * samples would go to a collector that is no more.
   */
  void startAgain() throws ProvisioningException, IOException {
    if (!stack.runsWithAgent(options.agentJar(), agentArguments)) {
      if (stack.fedoraPid().isPresent()) {
        listener.note("Fedora ran still and is ended: its samples go to another collector.");
        try {
          StackRegistry.ofUser().down(home);
        } catch (LostTriplesException e) {
          // The check of a resumed load finds their objects.
          listener.note(e.getMessage() + ".");
        }
        find();
      }
      stack.useAgent(options.agentJar(), agentArguments);
    }
    stack.useEnvironment(options.collector().access().agentEnvironment());
    stack.bringUp(new StackNews(Step.START, listener), true);
  }

  /**
   * Of one that has been started: objects shall not come before the user's stages.
   *
   * @param note hears why calls may be missing
   */
  void awaitOwnStages(Consumer<String> note) throws InterruptedException {
    OwnStages.of(options.agentJar(), options.agentOptions())
        .awaitWoven(stack, note, listener::note);
  }

  /** Null before it is made or found. */
  Stack stack() {
    return stack;
  }

  /** What there is of it: of a provisioning that failed, too, whose log tells why. */
  Optional<Stack> left() throws IOException {
    return stack != null ? Optional.of(stack) : StackRegistry.ofUser().find(home);
  }

  /** What to read next where something has failed; null where there is nothing yet. */
  Path log() {
    return stack == null ? null : stack.logs().get(FEDORA_LOG);
  }

  /** After the load nothing is started again: whoever goes on with the run does that. */
  void requireProcesses(String meanwhile) throws IOException {
    List<String> missing = stack.missing();
    if (!missing.isEmpty()) {
      String kills = stack.kills(missing);
      throw new IOException(
          String.join(" and ", missing)
              + " ended while "
              + meanwhile
              + (kills.isEmpty() ? "." : ": " + kills + "."));
    }
  }
}
