package org.fedometer.profiles.artifacts;

/**
 * An artifact could be had neither from the local repository nor from a remote one. Has no cause:
 * those of Maven Resolver name hosts, which must not get into logs and run folders.
 */
public final class ArtifactUnavailableException extends Exception {

  ArtifactUnavailableException(String message) {
    super(message);
  }
}
