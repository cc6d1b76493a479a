package org.fedometer.driver.object;

import static org.fedometer.driver.request.RequestEvent.Outcome.DONE;
import static org.fedometer.driver.request.RequestEvent.Outcome.FAILED;
import static org.fedometer.driver.request.RequestEvent.Outcome.FOUND_COMPLETE;
import static org.fedometer.driver.request.RequestEvent.Outcome.INGESTED;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fedometer.datasets.CarriedContent;
import org.fedometer.driver.content.Parcel;
import org.fedometer.driver.fedora.ContentFailureException;
import org.fedometer.driver.fedora.DatastreamProfile;
import org.fedometer.driver.fedora.FedoraResponse;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.fedora.Messages;
import org.fedometer.driver.fedora.Operation;
import org.fedometer.driver.request.Attempts;
import org.fedometer.driver.request.BackOff;
import org.fedometer.driver.request.IntendedStart;
import org.fedometer.driver.request.RequestEvent;
import org.fedometer.driver.request.RunStop;
import org.fedometer.driver.request.Verdict;
import org.fedometer.driver.request.Worker;

/**
 * Transfers content by separate requests, with retries by the policy: uploads, and datastreams of
 * an existing object. One per worker, confined to its thread.
 *
 * <p>An upload whose response was lost is sent again: nothing refers to the lost one, and Fedora
 * deletes it after five minutes. A datastream whose response was lost or inconclusive is queried
 * first, since Fedora would make a second version of it. While Fedora cannot be queried, nothing is
 * sent.
 */
final class ContentTransfer {

  private static final String UPLOADED = "uploaded://";

  private final Worker worker;
  private final FedoraSession session;
  private final Recorder recorder;
  private final Attempts attempts;

  /** Records a judged attempt. */
  @FunctionalInterface
  interface Recorder {
    void record(RequestEvent event, Parcel parcel) throws RunStop;
  }

  ContentTransfer(Worker worker, Recorder recorder) {
    this.worker = worker;
    this.session = worker.session();
    this.recorder = recorder;
    this.attempts = new Attempts(worker);
  }

  /**
   * Uploads content for the next request. Called anew for each attempt of that request: an upload
   * does not survive five minutes or a restart of Fedora.
   *
   * @param contents content to upload, if the parcel's content is uploaded at all
   * @return the same with locations; empty if an upload, and with it the object, failed
   */
  Optional<List<CarriedContent>> upload(
      long index, Parcel parcel, List<CarriedContent> contents, IntendedStart intendedStart)
      throws RunStop {
    if (!parcel.uploads()) {
      return Optional.of(contents);
    }
    List<CarriedContent> uploaded = new ArrayList<>();
    for (CarriedContent carried : contents) {
      Upload upload = new Upload(parcel, carried);
      IntendedStart first = uploaded.isEmpty() ? intendedStart : IntendedStart.whenSent();
      if (!attempts.perform(Operation.UPLOAD, index, parcel.pid(), first, upload)) {
        return Optional.empty();
      }
      uploaded.add(carried.at('M', upload.name));
    }
    return Optional.of(uploaded);
  }

  /**
   * Adds an existing object's datastreams one by one, until all exist or one, and with it the
   * object, failed.
   */
  void addAll(long index, Parcel parcel) throws RunStop {
    List<CarriedContent> contents = parcel.separateDatastreams();
    for (int i = 0; i < contents.size(); i++) {
      boolean last = i == contents.size() - 1;
      Addition addition = new Addition(index, parcel, contents.get(i), last);
      if (!attempts.perform(
          Operation.ADD_DATASTREAM, index, parcel.pid(), IntendedStart.whenSent(), addition)) {
        return;
      }
    }
  }

  private static boolean isCreated(int status) {
    return status == 201 || status == 202;
  }

  /** Returns whether the response to an upload names it. */
  static boolean namesUpload(FedoraResponse response) {
    return isCreated(response.status()) && response.message().startsWith(UPLOADED);
  }

  private final class Upload implements Attempts.Request {

    private final Parcel parcel;
    private final CarriedContent carried;
    private String name;

    Upload(Parcel parcel, CarriedContent carried) {
      this.parcel = parcel;
      this.carried = carried;
    }

    @Override
    public FedoraResponse send(String traceparent) throws IOException {
      return session.upload(carried.content(), traceparent);
    }

    @Override
    public Verdict judge(Attempts.Response response) throws RunStop {
      if (!isCreated(response.status())) {
        return response.settle(Attempts.Response::retry);
      }
      name = response.fedoraResponse().message();
      return namesUpload(response.fedoraResponse())
          ? Verdict.of(DONE, "")
          : Verdict.of(
              FAILED,
              "Fedora answered "
                  + response.status()
                  + ", but with '"
                  + name
                  + "' instead of the name of an upload: another server may have answered.");
    }

    @Override
    public long bytes() {
      return carried.content().sizeBytes();
    }

    @Override
    public void record(RequestEvent event) throws RunStop {
      recorder.record(event, parcel);
    }
  }

  private final class Addition implements Attempts.Request {

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
      parcel.beginRequest();
      Optional<List<CarriedContent>> located =
          upload(index, parcel, List.of(wanted), IntendedStart.whenSent());
      located.ifPresent(one -> sent = one.get(0));
      return located.isPresent();
    }

    @Override
    public FedoraResponse send(String traceparent) throws IOException {
      return session.addDatastream(parcel.pid(), sent, parcel.versions(), traceparent);
    }

    @Override
    public Verdict judge(Attempts.Response response) throws RunStop {
      if (!isCreated(response.status())) {
        return response
            .withNote(parcel.fetchFailure(List.of(sent)))
            .settle(unsettled -> queryWithRetry(() -> find(unsettled)));
      }
      return queryWithRetry(
          () -> {
            // An attempt believed lost may have succeeded during the query.
            String version = sentAgain ? version() : first();
            return version.equals(first())
                ? Verdict.of(last ? INGESTED : DONE, "")
                : Verdict.of(
                    FAILED,
                    "Fedora has the datastream in version "
                        + version
                        + ": an earlier attempt without a response has succeeded, too.");
          });
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

    private Verdict find(Attempts.Response response) throws IOException {
      String message = response.message();
      if (session.datastreamProfile(parcel.pid(), wanted.content().id()).isEmpty()) {
        return session.profile(parcel.pid()).isPresent()
            ? response.retry()
            : Verdict.of(FAILED, message + ". The object is no longer in Fedora.");
      }
      List<String> problems = new ArrayList<>();
      try {
        ReadBack.compare(session, parcel.pid(), sent, problems);
      } catch (ContentFailureException e) {
        return Verdict.of(FAILED, Messages.of(e));
      }
      return problems.isEmpty()
          ? Verdict.of(
              last ? FOUND_COMPLETE : DONE,
              message + ". The datastream is in Fedora with all its content.")
          : Verdict.of(
              FAILED, message + ". The datastream is in Fedora, but differs: " + problems.get(0));
    }

    @Override
    public long bytes() {
      return Parcel.receivedBytes(List.of(sent));
    }

    @Override
    public void record(RequestEvent event) throws RunStop {
      recorder.record(event, parcel);
    }
  }

  /** Queries until Fedora answers; nothing may be sent again before. */
  private Verdict queryWithRetry(BackOff.Query<Verdict> query) throws RunStop {
    try {
      return worker.query(query);
    } catch (IOException e) {
      return Verdict.of(
          FAILED, "Its outcome is unknown, since Fedora could not be queried: " + Messages.of(e));
    }
  }
}
