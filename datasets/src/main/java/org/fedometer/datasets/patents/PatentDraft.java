package org.fedometer.datasets.patents;

/**
 * A generated patent without its full text: its data, and the place of its prose in the pool.
 *
 * @param patent bibliographic data, including the abstract in plain characters
 * @param abstractStart the first sentence of the abstract
 * @param abstractEnd the sentence after the abstract
 */
record PatentDraft(PatentRecord patent, TextPool.Topic topic, int abstractStart, int abstractEnd) {}
