/** The agent's own log, on its way to the run: Fedora's output is Fedora's. */
package org.fedometer.agent.core.log;
