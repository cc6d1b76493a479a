package org.fedometer.profiles.artifacts;

/**
 * Thrown if an artifact is available neither in the local repository nor in a remote one. Has no
 * cause: those of Maven Resolver name hosts, which must not get into logs and run folders.
 */
public final class ArtifactUnavailableException extends Exception {

  ArtifactUnavailableException(String message) {
    super(message);
  }
}
