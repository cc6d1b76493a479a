package org.fedometer.datasets.patents;

/** Forms of a generated patent's DC datastream. */
enum DublinCoreForm {
  /** Separate title, inventor and abstract for each object. */
  PER_OBJECT,
  /** One record for all, as in the study; only the identifier is the object's own. */
  SAME
}
