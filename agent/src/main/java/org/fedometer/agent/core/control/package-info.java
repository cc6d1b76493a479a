/** Replies of the agent to a tool's command, single or continuous. */
package org.fedometer.agent.core.control;
