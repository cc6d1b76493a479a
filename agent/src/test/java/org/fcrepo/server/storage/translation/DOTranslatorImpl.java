package org.fcrepo.server.storage.translation;

/** Stand-in with the name and shape of Fedora's, for the agent to weave. */
public class DOTranslatorImpl {

  public void deserialize(String text) {
    check(text);
  }

  private void check(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("empty");
    }
  }
}
