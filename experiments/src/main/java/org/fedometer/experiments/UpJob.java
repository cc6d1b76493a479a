package org.fedometer.experiments;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.fedometer.attach.AgentSurvey;
import org.fedometer.attach.AgentTool;
import org.fedometer.attach.AttachException;
import org.fedometer.attach.Jvm;
import org.fedometer.attach.Jvms;
import org.fedometer.experiments.check.Check;
import org.fedometer.experiments.check.MemoryCheck;
import org.fedometer.experiments.collect.CollectorLink;
import org.fedometer.experiments.job.Interruption;
import org.fedometer.experiments.job.JobListener;
import org.fedometer.experiments.job.ShellWord;
import org.fedometer.experiments.job.Step;
import org.fedometer.experiments.job.StepFailure;
import org.fedometer.experiments.stack.CustomStages;
import org.fedometer.experiments.stack.StackProgress;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.stack.LostTriplesException;
import org.fedometer.profiles.stack.Provisioner;
import org.fedometer.profiles.stack.Stack;
import org.fedometer.profiles.stack.StackRegistry;
import org.fedometer.profiles.stack.home.StackOptions;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.fedometer.wire.session.AgentReport;

/**
 * Starts a Fedora that stays up. Its samples go to a monitoring run, or one that the user names; a
 * background collector lives as long as the agent is connected. Call {@link #run} once; {@link
 * #interrupt} is thread-safe.
 */
public final class UpJob {
  private final UpOptions options;
  private final JobListener listener;
  private final Profile profile;
  private final StackRegistry registry = StackRegistry.ofUser();
  private final Interruption interruption = new Interruption();
  private boolean preflight = true;

  public UpJob(UpOptions options, JobListener listener) {
    this.options = options;
    this.listener = listener;
    this.profile = options.profile();
  }

  /** Skips the memory check. Call before {@link #run}. */
  public void leaveOutPreflight() {
    preflight = false;
  }

  /** Requests the end of the job; what it has started is stopped. */
  public void interrupt() {
    interruption.raise();
  }

  /**
   * Starts the stack, or finds it running.
   *
   * @throws StepFailure if it does not come up; nothing is left running
   */
  public Stack run() throws StepFailure, InterruptedException {
    interruption.conductedBy(Thread.currentThread());
    try {
      Optional<Stack> existing = registry.find(options.home()).filter(Stack::isProvisioned);
      if (existing.isPresent()) {
        if (options.isProfileChosen()) {
          rejectOtherProfile(existing.get());
        }
        if (existing.get().fedoraPid().isPresent()) {
          listener.note("The stack is already up; its agent and port are unchanged.");
          return existing.get();
        }
      }
      Stack stack = existing.isPresent() ? existing.get() : provision();
      if (options.httpPort() != 0) {
        stack.useHttpPort(options.httpPort());
      }
      start(stack);
      return stack;
    } catch (IOException e) {
      throw StepFailure.of(Step.START, e);
    }
  }

  /**
   * Returns the facts of the agent in a running Fedora, by the names of {@link AgentReport}. An
   * interrupt ends only the query.
   *
   * @return empty without an agent or a response, and for a JVM that would log a warning
   */
  public Map<String, String> agentIn(Stack stack) {
    OptionalLong pid = stack.fedoraPid();
    if (options.agentJar().isEmpty() || pid.isEmpty()) {
      return Map.of();
    }
    try {
      Jvm jvm = Jvms.of(pid.getAsLong());
      return jvm.warnsOfAgents()
          ? Map.of()
          : new AgentSurvey(new AgentTool(options.agentJar().get()))
              .query(List.of(jvm))
              .get(0)
              .report()
              .map(AgentReport::facts)
              .orElse(Map.of());
    } catch (AttachException | RuntimeException e) {
      return Map.of(); // it has just ended or cannot be queried, which is no failure of its start
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Map.of();
    }
  }

  private void rejectOtherProfile(Stack existing) throws StepFailure {
    Map<String, String> wanted = profile.settingsAsText();
    Set<String> different = new TreeSet<>(wanted.keySet());
    different.addAll(existing.settings().keySet());
    different.removeIf(name -> Objects.equals(wanted.get(name), existing.settings().get(name)));
    if (!different.isEmpty()) {
      throw new StepFailure(
          Step.PROVISION,
          "%s holds a stack of profile %s, which differs from %s in %s; leave out --profile and --set to bring it up as it is, choose another folder, or delete that one first by 'fedometer stack down --home %s --delete'."
              .formatted(
                  options.home(),
                  existing.profileName(),
                  profile.label(),
                  String.join(", ", different),
                  ShellWord.of(options.home().toString())),
          null,
          null);
    }
  }

  /** Rejects a heap for which the kernel would kill Fedora. */
  private void requireMemory() throws StepFailure {
    Check memory = MemoryCheck.of(profile);
    if (memory.state() == Check.State.PROBLEM) {
      throw new StepFailure(
          Step.PROVISION, memory.sentence() + " --no-preflight skips this check.", null, null);
    }
    if (memory.state() == Check.State.WARNING) {
      listener.note(memory.sentence());
    }
  }

  private Stack provision() throws StepFailure, InterruptedException {
    if (preflight) {
      requireMemory();
    }
    StackOptions stackOptions = StackOptions.at(options.home()).withHttpPort(options.httpPort());
    listener.started(Step.PROVISION);
    long startNanos = System.nanoTime();
    try {
      Stack stack =
          Provisioner.ofUser()
              .provision(profile, stackOptions, new StackProgress(Step.PROVISION, listener));
      finished(Step.PROVISION, profile.label() + " in " + stack.home(), startNanos);
      return stack;
    } catch (ProvisioningException e) {
      interruption.check();
      throw StepFailure.of(Step.PROVISION, e);
    }
  }

  private void start(Stack stack) throws StepFailure, IOException, InterruptedException {
    listener.started(Step.START);
    long startNanos = System.nanoTime();
    if (options.agentJar().isPresent()) {
      stack.useAgent(
          options.agentJar().get(),
          options.collector().access().agentOptions(collector(), options.agentOptions())
              + ",source-name=fedora");
      stack.useEnvironment(options.collector().access().agentEnvironment());
    } else {
      stack.useNoAgent();
    }
    try {
      stack.start(new StackProgress(Step.START, listener));
      awaitCustomStages(stack);
      interruption.check();
      finished(Step.START, "Fedora answers at " + stack.url(), startNanos);
    } catch (ProvisioningException e) {
      interruption.check();
      throw StepFailure.of(Step.START, e);
    } catch (InterruptedException e) {
      interruption.cleanUp();
      try {
        registry.down(stack.home());
      } catch (LostTriplesException lost) {
        listener.note(lost.getMessage() + ".");
      }
      throw e;
    }
  }

  private void awaitCustomStages(Stack stack) throws InterruptedException {
    if (options.agentJar().isPresent()) {
      CustomStages.of(options.agentJar().get(), options.agentOptions())
          .awaitWoven(stack, listener::note, listener::note);
    }
  }

  private String collector() throws StepFailure, InterruptedException {
    try {
      return CollectorLink.hostAndPort(CollectorLink.find(options.collector()));
    } catch (IOException e) {
      throw StepFailure.of(Step.COLLECT, e);
    }
  }

  private void finished(Step step, String summary, long startNanos) {
    listener.finished(step, summary, Duration.ofNanos(System.nanoTime() - startNanos));
  }
}
