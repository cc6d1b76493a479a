package org.fedometer.profiles.artifacts;

/** An artifact could be had neither from the local repository nor from a remote one. */
public final class ArtifactUnavailableException extends Exception {

  ArtifactUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
