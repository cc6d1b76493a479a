package org.fcrepo.server.storage.translation;

/**
 * Stand-in with a name that the agent weaves: MooBench's recursive method without work. Nothing
 * else is in this class: Kieker's aspect takes every method of a class.
 */
public final class DOTranslatorImpl {

  public int serialize(int depth) {
    return depth > 1 ? serialize(depth - 1) : depth;
  }
}
