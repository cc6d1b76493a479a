/** The agent's own log, which is sent to the run instead of Fedora's output. */
package org.fedometer.agent.core.log;
