package org.fedometer.store.remote;

import java.io.IOException;
import java.io.InputStream;

/**
 * A run's file, read by several queries. Each result has as many bytes as the collector sends at
 * once, so that other clients are served in between; an empty one is the end.
 */
final class RemoteFile extends InputStream {
  private final RemoteStore store;
  private final String run;
  private final String path;
  private InputStream response;
  private long position;
  private long responseStart;

  RemoteFile(RemoteStore store, String run, String path) throws IOException {
    this.store = store;
    this.run = run;
    this.path = path;
    requestFromPosition();
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    int count = response.read(target, offset, length);
    while (count < 0) {
      if (position == responseStart) {
        return -1;
      }
      requestFromPosition();
      count = response.read(target, offset, length);
    }
    position += count;
    return count;
  }

  @Override
  public void close() throws IOException {
    response.close();
  }

  private void requestFromPosition() throws IOException {
    if (response != null) {
      response.close();
    }
    responseStart = position;
    response =
        store.send(
            RemoteStore.request("file").put("run", run).put("path", path).put("offset", position));
  }
}
