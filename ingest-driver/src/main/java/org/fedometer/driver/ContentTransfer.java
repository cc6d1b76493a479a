package org.fedometer.driver;

import static org.fedometer.driver.RequestEvent.Outcome.ABANDONED;
import static org.fedometer.driver.RequestEvent.Outcome.DONE;
import static org.fedometer.driver.RequestEvent.Outcome.FAILED;
import static org.fedometer.driver.RequestEvent.Outcome.FOUND_COMPLETE;
import static org.fedometer.driver.RequestEvent.Outcome.INGESTED;
import static org.fedometer.driver.RequestEvent.Outcome.RETRIED;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fedometer.datasets.CarriedContent;

/**
 * Brings content into Fedora by requests of its own: uploads, and datastreams added to an object
 * that is there. Each with as many attempts as it takes and the policy allows. One per worker, used
 * by that worker's thread only.
 *
 * <p>An upload whose answer was lost is sent again: nobody refers to the lost one, and Fedora
 * deletes it after five minutes. A datastream whose answer was lost, or is an error that says
 * nothing, is asked for first, since Fedora would make a second version of it; as long as Fedora
 * cannot be asked nothing is sent.
 */
final class ContentTransfer {

  private static final String UPLOADED = "uploaded://";

  private final int worker;
  private final FedoraSession session;
  private final RetryPolicy policy;
  private final OutageGate gate;
  private final StopSignal stop;
  private final ObjectIngest.AttemptRecorder recorder;
  private long settledIndex = -1;
  private long storedIndex = -1;

  ContentTransfer(
      int worker,
      FedoraSession session,
      RetryPolicy policy,
      OutageGate gate,
      StopSignal stop,
      ObjectIngest.AttemptRecorder recorder) {
    this.worker = worker;
    this.session = session;
    this.policy = policy;
    this.gate = gate;
    this.stop = stop;
    this.recorder = recorder;
  }

  /** Index of the latest object that was completed or given up here. */
  long settledIndex() {
    return settledIndex;
  }

  /** Index of the latest object that was completed here. */
  long storedIndex() {
    return storedIndex;
  }

  /**
   * Gives content to Fedora that the next request is to refer to. Called anew for each attempt of
   * that request: an upload does not outlive five minutes, nor a restart of Fedora.
   *
   * @param contents what to upload, if the parcel's content is uploaded at all
   * @param due when the first upload should be sent
   * @return the same, where it is now; empty if an upload, and with it the object, was given up
   * @throws RunStop if the run is over
   */
  Optional<List<CarriedContent>> upload(
      long index, Parcel parcel, List<CarriedContent> contents, Due due) throws RunStop {
    if (!parcel.uploads()) {
      return Optional.of(contents);
    }
    List<CarriedContent> uploaded = new ArrayList<>();
    for (CarriedContent carried : contents) {
      Upload upload = new Upload(carried);
      Due first = uploaded.isEmpty() ? due : Due.whenSent();
      if (!perform(Operation.UPLOAD, index, parcel, upload, first)) {
        return Optional.empty();
      }
      uploaded.add(carried.at('M', upload.name));
    }
    return Optional.of(uploaded);
  }

  /**
   * Adds the datastreams of an object that is there without them, one after the other, until all
   * are there or one is given up, and with it the object.
   *
   * @throws RunStop if the run is over
   */
  void addAll(long index, Parcel parcel) throws RunStop {
    List<CarriedContent> contents = parcel.afterwards();
    for (int i = 0; i < contents.size(); i++) {
      boolean last = i == contents.size() - 1;
      Addition addition = new Addition(index, parcel, contents.get(i), last);
      if (!perform(Operation.ADD_DATASTREAM, index, parcel, addition, Due.whenSent())) {
        return;
      }
    }
  }

  /** What an attempt came to, and how long to wait before the next. */
  private record Verdict(
      RequestEvent.Outcome outcome, String message, Duration asked, boolean counts) {

    static Verdict of(RequestEvent.Outcome outcome, String message) {
      return new Verdict(outcome, message, Duration.ZERO, true);
    }

    Verdict counted() {
      return new Verdict(outcome, message, asked, true);
    }

    /** Fedora was away: the attempt does not count against the policy. */
    Verdict uncounted() {
      return new Verdict(outcome, message, asked, false);
    }
  }

  /** One request, sent as often as need be. */
  private interface Request {

    /** Makes ready for an attempt; false if that was given up, and with it the object. */
    boolean prepare() throws RunStop;

    FedoraAnswer send(String traceparent) throws IOException;

    /** Judges the answer by which Fedora says that it is done. */
    Verdict accepted(FedoraAnswer answer) throws IOException;

    /** Asks Fedora, after an attempt that does not say, whether it did it all the same. */
    Verdict probe(String words, Duration asked) throws IOException;

    /** Content that Fedora takes in by it. */
    long bytes();

    /** What else is known of an attempt that failed. */
    String note();
  }

  private final class Upload implements Request {

    private final CarriedContent carried;
    private String name;

    Upload(CarriedContent carried) {
      this.carried = carried;
    }

    @Override
    public boolean prepare() {
      return true;
    }

    @Override
    public FedoraAnswer send(String traceparent) throws IOException {
      return session.upload(carried.content(), traceparent);
    }

    @Override
    public Verdict accepted(FedoraAnswer answer) {
      name = answer.message();
      return name.startsWith(UPLOADED)
          ? Verdict.of(DONE, "")
          : Verdict.of(
              FAILED,
              "Fedora answered "
                  + answer.status()
                  + ", but with '"
                  + name
                  + "' where it names an upload: what answers there may not be Fedora.");
    }

    @Override
    public Verdict probe(String words, Duration asked) {
      return new Verdict(RETRIED, words, asked, true);
    }

    @Override
    public long bytes() {
      return carried.content().sizeBytes();
    }

    @Override
    public String note() {
      return "";
    }
  }

  private final class Addition implements Request {

    private final long index;
    private final Parcel parcel;
    private final CarriedContent wanted;
    private final boolean last;
    private CarriedContent sent;
    private boolean sentAgain;

    Addition(long index, Parcel parcel, CarriedContent wanted, boolean last) {
      this.index = index;
      this.parcel = parcel;
      this.wanted = wanted;
      this.last = last;
    }

    @Override
    public boolean prepare() throws RunStop {
      sentAgain = sent != null;
      parcel.sending();
      Optional<List<CarriedContent>> located =
          upload(index, parcel, List.of(wanted), Due.whenSent());
      located.ifPresent(one -> sent = one.get(0));
      return located.isPresent();
    }

    @Override
    public FedoraAnswer send(String traceparent) throws IOException {
      return session.addDatastream(parcel.pid(), sent, parcel.versions(), traceparent);
    }

    @Override
    public Verdict accepted(FedoraAnswer answer) throws IOException {
      // An attempt that was thought lost may have come through while Fedora was asked for it.
      String version = sentAgain ? version() : first();
      return version.equals(first())
          ? Verdict.of(last ? INGESTED : DONE, "")
          : Verdict.of(
              FAILED,
              "Fedora has the datastream in version "
                  + version
                  + ": an attempt whose answer was lost has come through after all.");
    }

    private String first() {
      return wanted.content().id() + ".0";
    }

    private String version() throws IOException {
      return session
          .datastreamProfile(parcel.pid(), wanted.content().id())
          .map(DatastreamProfile::versionId)
          .orElse("none");
    }

    @Override
    public Verdict probe(String words, Duration asked) throws IOException {
      String id = wanted.content().id();
      if (session.datastreamProfile(parcel.pid(), id).isEmpty()) {
        return session.profile(parcel.pid()).isPresent()
            ? new Verdict(RETRIED, words, asked, true)
            : Verdict.of(FAILED, words + ". The object is no longer in Fedora.");
      }
      List<String> problems = new ArrayList<>();
      ReadBack.compare(session, parcel.pid(), sent, problems);
      return problems.isEmpty()
          ? Verdict.of(
              last ? FOUND_COMPLETE : DONE,
              words + ". The datastream is in Fedora with all its content.")
          : Verdict.of(
              FAILED,
              words + ". The datastream is in Fedora, but not as it should be: " + problems.get(0));
    }

    @Override
    public long bytes() {
      return Parcel.bytesTakenIn(List.of(sent));
    }

    @Override
    public String note() {
      return parcel.serverNote(List.of(sent));
    }
  }

  /**
   * @return whether it is done, as against given up
   */
  private boolean perform(Operation operation, long index, Parcel parcel, Request request, Due due)
      throws RunStop {
    int failures = 0;
    boolean refused = false;
    boolean excused = false;
    for (int attempt = 1; ; attempt++) {
      if (!request.prepare()) {
        return false;
      }
      if (stop.raised() && attempt > 1) {
        throw RunStop.asRequested();
      }
      String traceparent = Traceparent.random();
      FedoraAnswer answer = null;
      Exception failure = null;
      long startNanos = System.nanoTime();
      try {
        answer = request.send(traceparent);
      } catch (IOException | RuntimeException e) {
        failure = e;
      }
      long durationNanos = System.nanoTime() - startNanos;
      Verdict verdict;
      RunStop over = null;
      try {
        verdict =
            answer == null
                ? judgeFailure(request, failure, startNanos)
                : judgeAnswer(parcel.pid(), request, answer, refused, startNanos);
      } catch (RunStop e) {
        over = e;
        verdict = Verdict.of(ABANDONED, answer == null ? Words.of(failure) : answer.describe());
      }
      refused |= answer != null && answer.status() == 401;
      if (!verdict.counts() && !(failure instanceof FedoraUnreachableException)) {
        // Once: what ends each Fedora that it is sent to has to be given up.
        verdict = excused ? verdict.counted() : verdict;
        excused = true;
      }
      failures += verdict.counts() ? 1 : 0;
      if (verdict.outcome() == RETRIED && failures >= policy.maxAttempts()) {
        verdict =
            Verdict.of(FAILED, verdict.message() + " (given up after " + attempt + " attempts)");
      } else if (verdict.outcome() == RETRIED && stop.raised()) {
        verdict = Verdict.of(ABANDONED, verdict.message());
        over = RunStop.asRequested();
      }
      boolean whole = verdict.outcome() == INGESTED || verdict.outcome() == FOUND_COMPLETE;
      if (whole || verdict.outcome() == FAILED) {
        settledIndex = index;
        storedIndex = whole ? index : storedIndex;
      }
      recorder.record(
          new RequestEvent(
              operation,
              index,
              parcel.pid(),
              traceparent,
              worker,
              attempt,
              due.intendedStartNanos(startNanos),
              startNanos,
              durationNanos,
              answer == null ? 0 : answer.status(),
              request.bytes(),
              FedoraMessages.cut(verdict.message()),
              verdict.outcome()),
          parcel.object());
      if (over != null) {
        throw over;
      }
      if (verdict.outcome() != RETRIED) {
        return verdict.outcome() != FAILED;
      }
      if (verdict.counts()) {
        stop.pause(policy.waitAfter(failures, verdict.asked()));
      }
    }
  }

  private Verdict judgeAnswer(
      String pid, Request request, FedoraAnswer answer, boolean refused, long startNanos)
      throws RunStop {
    int status = answer.status();
    if (status == 201 || status == 202) {
      return settle(() -> request.accepted(answer));
    }
    String words = answer.describe() + request.note();
    if (status == 401) {
      // The gate ends the run if the login is refused now.
      gate.awaitFedora(session, words, startNanos);
      return refused
          ? Verdict.of(
              FAILED, words + ". The login is accepted all the same: a policy may forbid this.")
          : Verdict.of(RETRIED, words); // once, the session may just have run out
    }
    // Without its database Fedora answers 500 to what changes something, and most questions still.
    boolean wasAway =
        (status >= 500 || answer.maybeNotFedoras(pid))
            && gate.awaitFedora(session, words, startNanos);
    if (!wasAway && !RetryPolicy.worthAnotherAttempt(status)) {
      return Verdict.of(FAILED, words);
    }
    Verdict verdict = settle(() -> request.probe(words, answer.retryAfter()));
    return wasAway ? verdict.uncounted() : verdict;
  }

  private Verdict judgeFailure(Request request, Exception failure, long startNanos) throws RunStop {
    String words = Words.of(failure);
    if (failure instanceof LoginRefusedException refusal) {
      throw RunStop.loginRefused(refusal);
    }
    if (failure instanceof ContentFailureException || failure instanceof IllegalArgumentException) {
      return Verdict.of(FAILED, words);
    }
    if (!(failure instanceof IOException)) {
      throw RunStop.ofDriver(failure);
    }
    if (failure instanceof FedoraUnreachableException) {
      boolean wasAway = gate.awaitFedora(session, words, startNanos);
      return new Verdict(RETRIED, words, Duration.ZERO, !wasAway);
    }
    String lost = "No answer: " + words + request.note();
    boolean wasAway = gate.awaitFedora(session, lost, startNanos);
    Verdict verdict = settle(() -> request.probe(lost, Duration.ZERO));
    return wasAway ? verdict.uncounted() : verdict;
  }

  private interface Question {
    Verdict ask() throws IOException;
  }

  /** Asks until Fedora says something: before, nothing may be sent again. */
  private Verdict settle(Question question) throws RunStop {
    for (int failures = 0; ; ) {
      long askedNanos = System.nanoTime();
      try {
        return question.ask();
      } catch (ContentFailureException e) {
        return Verdict.of(FAILED, Words.of(e));
      } catch (LoginRefusedException e) {
        throw RunStop.loginRefused(e);
      } catch (IOException e) {
        boolean wasAway = gate.awaitFedora(session, Words.of(e), askedNanos);
        failures += wasAway ? 0 : 1;
        if (failures >= policy.maxAttempts()) {
          return Verdict.of(
              FAILED,
              "It is not known what became of it: Fedora could not be asked: " + Words.of(e));
        }
        if (!wasAway) {
          stop.pause(policy.waitAfter(failures, Duration.ZERO));
        }
      }
    }
  }
}
