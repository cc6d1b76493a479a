/**
 * Two logs on their way to the run: the agent's own, and what advice has taken down of Fedora's.
 */
package org.fedometer.agent.core.log;
