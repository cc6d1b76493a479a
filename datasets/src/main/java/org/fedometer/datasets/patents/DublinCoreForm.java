package org.fedometer.datasets.patents;

/** What the DC datastream of a generated patent says. */
enum DublinCoreForm {
  /** Each object's own title, inventor, abstract. */
  PER_OBJECT,
  /** One record for all, as in the study; the identifier alone is the object's. */
  SAME
}
