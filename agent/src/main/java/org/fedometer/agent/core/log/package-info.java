/**
 * Two logs on their way to the run: the agent's own, and what captures have taken down of Fedora's,
 * with its flushes of triples.
 */
package org.fedometer.agent.core.log;
