package org.fedometer.datasets.patents;

/**
 * A generated patent before its full text is written: what is known about it, and where in the pool
 * its prose comes from.
 *
 * @param patent bibliographic data, the abstract in plain characters among them
 * @param abstractStart first sentence of the abstract
 * @param abstractEnd sentence behind the abstract
 */
record PatentDraft(PatentRecord patent, TextPool.Topic topic, int abstractStart, int abstractEnd) {}
